import { hash } from 'node:crypto'
import { CountersignError } from '@countersign/core'
import { createOwnFile, readOwnFile } from '../files/private-file.ts'

const MAX_BYTES = 8_192

/** What every key file holds: its kind, and an id by which damage shows. The rest depends on the kind. */
export interface KeyFile {
  readonly v: 1
  readonly kind: string
  readonly id: string
  readonly [field: string]: unknown
}

/** The name of a key: the first 16 hex digits of the SHA-256 of its public (or only) bytes. */
export function keyIdOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').slice(0, 16)
}

/** Strict base64 of exactly `length` bytes; undefined for anything else, so that one value has one spelling. */
export function decodeBase64(text: unknown, length: number): Buffer | undefined {
  if (typeof text !== 'string') return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === length && bytes.toString('base64') === text ? bytes : undefined
}

/** Reads a key file of one kind; undefined when absent, CS_KEY when it is not exactly what was written. */
export function readKeyFile(path: string, kind: string): KeyFile | undefined {
  const text = readOwnFile(path, MAX_BYTES, 'CS_KEY')
  if (text === undefined) return undefined
  const file = parseObject(text)
  if (file?.['v'] !== 1 || file['kind'] !== kind || typeof file['id'] !== 'string') throw damagedKey(path)
  return { ...file, v: 1, kind, id: file['id'] }
}

/** Creates a key file; false when another process made it first. */
export function createKeyFile(path: string, file: KeyFile): boolean {
  return createOwnFile(path, `${JSON.stringify(file)}\n`)
}

/** The error for a key file that is there but wrong. */
export function damagedKey(path: string): CountersignError {
  return new CountersignError(
    'CS_KEY',
    `\`${path}\` is damaged; restore it from a backup, or move it away to make a new key`,
  )
}

function parseObject(text: string): { readonly [field: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
