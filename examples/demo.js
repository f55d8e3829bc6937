// A program to profile with node: loops, recursion, a class and a callback.
//
//     node --cpu-prof examples/demo.js
//     node --heap-prof examples/demo.js

function isPrime(n) {
    for (let d = 2; d * d <= n; d++) {
        if (n % d === 0) return false;
    }
    return n > 1;
}

function countPrimes(limit) {
    let count = 0;
    for (let n = 0; n < limit; n++) count += isPrime(n) ? 1 : 0;
    return count;
}

function fib(n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

class Basket {
    constructor(count) {
        this.prices = Array.from({ length: count }, (_, i) => `${i % 100}.50`);
    }

    total() {
        return this.prices.reduce((sum, price) => sum + Number(price), 0);
    }
}

globalThis.basket = new Basket(100000); // alive when the heap is looked at
process.exitCode = countPrimes(200000) === 17984 && fib(27) === 196418 && basket.total() === 5000000 ? 0 : 1;
