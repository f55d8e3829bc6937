"""Statements, branches, docstrings, generators, and what is left out by a pragma."""


class Stock:
    """What is there."""

    def __init__(self, items=None):
        self.items = items or {}

    def add(self, name, count=1):
        """Adds some."""
        if count < 0:
            raise ValueError("count")
        self.items[name] = self.items.get(name, 0) + count

    def rare(self):
        for name, count in self.items.items():
            if count < 2:
                yield name

    def debug(self):  # pragma: no cover
        print(self.items)


def main():
    stock = Stock()
    for name in ("a", "b", "a"):
        stock.add(name)
    try:
        stock.add("c", -1)
    except ValueError:
        pass
    else:
        print("no")
    while True:
        if list(stock.rare()) == ["b"]:
            break
        return 1
    return 0


if __name__ == "__main__":
    main()
