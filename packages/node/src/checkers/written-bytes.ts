import type { FrozenCall, Json } from '@countersign/core'

/** The most bytes that a call can write: all the text in its arguments. */
export function writtenBytes({ args }: Pick<FrozenCall, 'args'>): number {
  let bytes = 0
  const ahead: Json[] = [args]
  for (let value = ahead.pop(); value !== undefined; value = ahead.pop()) {
    if (typeof value === 'string') bytes += Buffer.byteLength(value)
    else if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) ahead.push(inner)
  }
  return bytes
}
