export const BLOCK = 512

/** The most bytes that eleven octal digits can tell. */
export const MOST_BYTES = 8 ** 11 - 1

/**
 * The header of a regular file in a POSIX tar archive (ustar). It depends on name and size alone: equal files make equal
 * archives, and a reader can compare every byte with what it must be.
 */
export function tarHeader(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0, 100, 'latin1')
  block.write(octal(0o644, 7), 100, 'latin1')
  block.write(octal(0, 7), 108, 'latin1')
  block.write(octal(0, 7), 116, 'latin1')
  block.write(octal(size, 11), 124, 'latin1')
  block.write(octal(0, 11), 136, 'latin1')
  block.write('        ', 148, 'latin1')
  block.write('0ustar\u000000', 156, 'latin1')
  block.copyWithin(257, 157, 165)
  block.fill(0, 157, 257)
  let sum = 0
  for (const byte of block) sum += byte
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

/** Bytes that fill the last block of a file. */
export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}
