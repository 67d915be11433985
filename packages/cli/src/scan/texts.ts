import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import type { Io } from '../terminal/io.ts'

/** A text to scan, and the file it is from; null when it was given or piped in. */
export interface ScannedText {
  readonly name: string | null
  readonly text: string
  /** Given as an argument, and nothing but one word. */
  readonly isWord?: boolean
}

/** No path is longer on the systems that are supported. */
const LONGEST_PATH = 4096
const MOST_BYTES = 64 * 1024 * 1024

/** The given text, the given files one after the other, or stdin when neither is given. */
export async function* readTexts(
  text: string | undefined,
  files: readonly string[],
  io: Io,
): AsyncGenerator<ScannedText> {
  if (text !== undefined) {
    await refuseFileName(text, io)
    yield { name: null, text, isWord: /^\S+$/.test(text) }
  }
  for (const name of files) yield { name, text: await readText(name, io) }
  if (text === undefined && files.length === 0) yield { name: null, text: await readStdin(io) }
}

/** A name taken for a text has no secrets: whoever names a file wants to know what is in it. INVARIANT: L3. */
async function refuseFileName(text: string, io: Io): Promise<void> {
  if (text === '' || text.length > LONGEST_PATH || text.includes('\0')) return
  const found = await stat(resolve(io.cwd, text)).catch(() => null)
  if (found === null) return
  const what = found.isDirectory() ? 'a folder' : 'a file'
  const then = found.isDirectory() ? 'name its files with' : 'read it with'
  throw usage(`\`${safeText(text)}\` is ${what} here; ${then} \`--file\`, or give the text on stdin`)
}

async function readText(name: string, io: Io): Promise<string> {
  const path = resolve(io.cwd, name)
  try {
    const { size } = await stat(path)
    if (size <= MOST_BYTES) return await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw usage(`\`${safeText(name)}\` cannot be read (${code}); check the path`)
  }
  throw usage(`\`${safeText(name)}\` is over 64 MiB; split it`)
}

async function readStdin(io: Io): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of io.stdin) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : (piece as Buffer)
    size += bytes.length
    if (size > MOST_BYTES) throw usage('stdin is over 64 MiB; split it')
    pieces.push(bytes)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function usage(message: string): CountersignError {
  return new CountersignError('CS_USAGE', message)
}
