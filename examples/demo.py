# A small program to profile: python3 -m cProfile -o demo.pstats demo.py
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


class Basket:
    def __init__(self):
        self.prices = []

    def add(self, price):
        self.prices.append(price)

    def total(self):
        return sum(sorted(self.prices))


def main():
    basket = Basket()
    for i in range(20):
        basket.add(fib(i % 8))
    print(basket.total())


main()
