<?php
// Calls of every kind: direct and mutual recursion, methods, closures, callbacks of internal functions, an include, an exception.
require_once __DIR__ . '/included.php';

function fact(int $n): int
{
    return $n < 2 ? 1 : $n * fact($n - 1);
}

function even(int $n): bool
{
    return $n === 0 || odd($n - 1);
}

function odd(int $n): bool
{
    return $n !== 0 && even($n - 1);
}

class Cart
{
    private array $items = [];

    public function add(string $name, int $count): static
    {
        $this->items[$name] = ($this->items[$name] ?? 0) + $count;
        return $this;
    }

    public function total(callable $price): int
    {
        return array_sum(array_map(fn($name, $count) => $count * $price($name), array_keys($this->items), $this->items));
    }

    public static function refuse(): never
    {
        throw new RuntimeException('no');
    }
}

$cart = new Cart();
for ($i = 0; $i < 30; $i++) {
    $cart->add("item" . $i % 4, $i)->add('other', fact($i % 6));
}
$names = ['ccc', 'a', 'bb', 'dddd'];
usort($names, fn($a, $b) => strlen($a) <=> strlen($b));
try {
    Cart::refuse();
} catch (RuntimeException $e) {
    call_user_func('even', 9);
}
echo $cart->total('price'), even(12) ? ' even ' : ' odd ', call_user_func_array([$cart, 'total'], ['strlen']), ' ', eval('return twice(fact(4));'), "\n";
