import { readSync } from 'node:fs'
import { CountersignError } from '@countersign/core'
import { wholeNumber } from '../arguments/whole-number.ts'

/** Bytes a passphrase may have. */
export const LONGEST_PASSPHRASE = 1_024

const MOST_FD = 1_048_575

/** What `--passphrase-fd` names. */
export function passphraseFd(text: string): number {
  return text === '0' ? 0 : wholeNumber('--passphrase-fd', text, MOST_FD)
}

/**
 * Reads one line from a descriptor that a script joined to a secret. Byte by byte: what follows is the next line's, or
 * somebody else's. SECURITY: an argument or the environment would show it to every process of this account.
 */
export function readPassphrase(fd: number): string {
  const bytes: number[] = []
  const one = Buffer.alloc(1)
  while (bytes.length <= LONGEST_PASSPHRASE) {
    if (readByte(fd, one) === 0 || one[0] === 0x0a) return checked(bytes)
    bytes.push(one[0] ?? 0)
  }
  throw new CountersignError('CS_PASSPHRASE', `a passphrase has up to ${LONGEST_PASSPHRASE} bytes; give another`)
}

function checked(bytes: readonly number[]): string {
  if (bytes.length > 0) return Buffer.from(bytes).toString('utf8')
  throw new CountersignError(
    'CS_PASSPHRASE',
    '`--passphrase-fd` brought no passphrase; write it there, with a line end',
  )
}

function readByte(fd: number, into: Buffer): number {
  try {
    return readSync(fd, into, 0, 1, null)
  } catch (error) {
    throw new CountersignError(
      'CS_USAGE',
      `descriptor ${fd} cannot be read; join it, such as \`${fd}< <(pass show …)\``,
      {
        cause: error,
      },
    )
  }
}
