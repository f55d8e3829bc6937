# A small program to profile: recursion, a closure, a callback through sort, and string evals.
#   NYTPROF=file=demo.nytprof:compress=0 perl -d:NYTProf demo.pl

sub fib {
    my $n = shift;
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}

sub by_size { length($a) <=> length($b) }

sub counter {
    my $count = 0;
    return sub { return ++$count };
}

my $next = counter();
$next->() for 1 .. 3;
my @words = sort by_size qw(ccc a bb);
my $sum = fib(4);
for my $i (1 .. 2) {
    $sum += eval "sub { \$_[0] * 2 }->($i)";
}
print "$sum @words\n";
