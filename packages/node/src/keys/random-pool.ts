import { randomBytes } from 'node:crypto'

const STOCK_BYTES = 4096

/** Random bytes from a stock: a few cost the system as much as thousands. No byte is given out twice. */
export function randomStock(): (count: number) => Buffer {
  let stock = Buffer.alloc(0)
  let at = 0
  return (count) => {
    if (at + count > stock.length) {
      stock = randomBytes(Math.max(STOCK_BYTES, count))
      at = 0
    }
    at += count
    return stock.subarray(at - count, at)
  }
}
