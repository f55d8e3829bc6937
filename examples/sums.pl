# A program whose flame graph is worth a look: it makes up sums, parses them by recursive descent, simplifies the trees and adds up their values.
#   NYTPROF=file=sums.nytprof perl -d:NYTProf sums.pl [slow] && assay flame sums.nytprof -o sums.svg
# With `slow` it cuts tokens off letter by letter: compare both with `assay flame --diff`.
use strict;
use warnings;

my $is_slow = @ARGV && $ARGV[0] eq 'slow';
my $seed = 1;
my ($text, $token);    # what is left to parse, and the token before it

sub next_random { my $below = shift; $seed = ($seed * 1103515245 + 12345) % 2**31; return int($seed / 65536) % $below }

sub make_factor { my $depth = shift; return $depth && next_random(3) ? '(' . make_sum($depth - 1) . ')' : next_random(1000) }
sub make_product { my $depth = shift; return join ' * ', map { make_factor($depth) } 0 .. next_random(2) }
sub make_sum { my $depth = shift; return join ' + ', map { make_product($depth) } 0 .. 1 + next_random(2) }

# ---- text to tokens ----

sub cut_letter { return length $text ? substr $text, 0, 1, '' : '' }

sub cut_token {
    my $letter = cut_letter();
    $letter = cut_letter() while $letter eq ' ';
    return $letter if $letter !~ /\d/;
    $letter .= cut_letter() while $text =~ /^\d/;
    return $letter;
}

sub next_token { $token = $is_slow ? cut_token() : $text =~ s/^\s*(\d+|.)//s ? $1 : '' }

# ---- tokens to trees ----

sub parse_factor {
    my $number = $token;
    next_token();
    return $number if $number ne '(';
    my $sum = parse_sum();
    next_token();
    return $sum;
}

sub parse_list {
    my ($sign, $parse) = @_;
    my @parts = $parse->();
    while ($token eq $sign) {
        next_token();
        push @parts, $parse->();
    }
    return @parts == 1 ? $parts[0] : [$sign, @parts];
}

sub parse_product { return parse_list('*', \&parse_factor) }
sub parse_sum { return parse_list('+', \&parse_product) }
sub parse { $text = shift; next_token(); return parse_sum() }

# ---- trees to values ----

sub add { my $sum = 0; $sum += $_ for @_; return $sum % 1000003 }
sub multiply { my $product = 1; $product = $product * $_ % 1000003 for @_; return $product }

sub simplify {
    my $tree = shift;
    return $tree if !ref $tree;
    my ($sign, @parts) = @$tree;
    return [$sign, map { ref $_ && $_->[0] eq $sign ? @$_[1 .. $#$_] : $_ } map { simplify($_) } @parts];
}

sub evaluate {
    my $tree = shift;
    return $tree if !ref $tree;
    my ($sign, @parts) = @$tree;
    my @values = map { evaluate($_) } @parts;
    return $sign eq '+' ? add(@values) : multiply(@values);
}

my $total = 0;
for (1 .. 60) {
    my $tree = parse(make_sum(3));
    $total = add($total, evaluate(simplify($tree)));
}
print "$total\n";
