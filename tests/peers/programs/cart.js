'use strict';
// Default arguments, which are branches at lines without a statement, and the rest of what istanbul counts.
function total(
  items = [],
  rate = 0.2,
) {
  let sum = 0;
  for (const item of items) {
    if (item.free) continue;
    sum += item.price * (item.count || 1);
  }
  return sum > 100 ? sum : sum * (1 + rate);
}

class Cart {
  constructor(items) { this.items = items; }
  add(item) { this.items.push(item); return this; }
  clear() {
    this.items = [];
  }
  get kind() {
    switch (this.items.length) {
      case 0: return 'empty';
      case 1: return 'single';
      default: return 'full';
    }
  }
}

const never = () => { throw new Error('never'); };
const cart = new Cart([{ price: 3 }]).add({ price: 4, count: 2 });
console.log(total(cart.items), total(), cart.kind, typeof never);
