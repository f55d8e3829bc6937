<?php
function price(string $name): int
{
    return strlen($name) > 5 ? twice(3) : 2;
}

function twice(int $n): int
{
    return $n + $n;
}
