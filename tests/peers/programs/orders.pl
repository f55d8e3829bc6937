# Statements and calls of every kind: direct and mutual recursion, methods, closures, sort blocks, operations, string evals, an exception.
use strict;
use warnings;

package Shape;

sub new { my ($class, %fields) = @_; return bless {%fields}, $class }

sub area {
    my $self = shift;
    return $self->{w} * $self->{h};
}

package main;



sub fact {
    my $n = shift;
    return $n < 2 ? 1 : $n * fact($n - 1);
}

sub even { my $n = shift; return $n ? odd($n - 1) : 1 }
sub odd  { my $n = shift; return $n ? even($n - 1) : 0 }

sub counter {
    my $n = shift;
    return sub { return $n++ };
}

sub by_size { return length $a <=> length $b }

my $total = 0;
for my $i (1 .. 20) {
    $total += Shape->new(w => $i, h => 2)->area;
}
$total += fact(9);
$total += even(12) + odd(3);
my $next = counter(5);
$total += $next->() for 1 .. 4;
my @words = map { lc } sort by_size qw(ccc a bb dddd);
foreach my $word (@words) {
    $word =~ s/c/k/g;
    next if $word !~ m/k/;
    $total += length $word;
}
for my $i (1 .. 3) {
    $total += eval "my \$x = $i;\nfact(\$x) + 1";
}
$total += eval 'eval "even(4)"';
eval { die "no\n" };
print "$total @words\n";
