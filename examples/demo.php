<?php
/* A program to profile with Xdebug: loops, recursion, a method and a callback.
 *
 *     php -d xdebug.mode=profile -d xdebug.start_with_request=yes examples/demo.php */

function is_prime($n)
{
    for ($d = 2; $d * $d <= $n; $d++) {
        if ($n % $d == 0) {
            return false;
        }
    }
    return $n > 1;
}

function count_primes($limit)
{
    $count = 0;
    for ($n = 0; $n < $limit; $n++) {
        $count += is_prime($n) ? 1 : 0;
    }
    return $count;
}

function fib($n)
{
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}

class Basket
{
    private $prices = [];

    public function add($price)
    {
        $this->prices[] = $price;
    }

    public function total()
    {
        return array_sum(array_map(fn ($price) => $price * 119, $this->prices));
    }
}

$basket = new Basket();
foreach ([3, 5, 8] as $price) {
    $basket->add($price);
}
exit(count_primes(20) == 8 && fib(5) == 5 && $basket->total() == 1904 ? 0 : 1);
