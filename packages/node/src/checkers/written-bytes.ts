import type { FrozenCall, Json } from '@countersign/core'

/** Arguments of a call that writes: what of them ends up in files is at most all the text they hold. */
export function writtenBytes({ args }: Pick<FrozenCall, 'args'>): number {
  let bytes = 0
  const ahead: Json[] = [args]
  for (let value = ahead.pop(); value !== undefined; value = ahead.pop()) {
    if (typeof value === 'string') bytes += Buffer.byteLength(value)
    else if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) ahead.push(inner)
  }
  return bytes
}
