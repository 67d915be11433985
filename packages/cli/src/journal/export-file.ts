import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { CountersignError, parseCheckpoint, parseEntry, safeText } from '@countersign/core'

/** INVARIANT: L10 longer than any entry that can be written. */
const MOST_IN_A_LINE = 8_388_608
const MOST_IN_A_NOTE = 65_536

/** The lines of an export, split at `\n` only: strings in entries may contain other line breaks. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  try {
    for await (const chunk of createReadStream(path)) {
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > MOST_IN_A_LINE) throw new TypeError('a line without an end')
      yield* lines
    }
    rest += decoder.decode()
  } catch (error) {
    throw unreadable(path, error)
  }
  if (rest !== '') yield rest
}

/** The first and last entry number of an export; `last` is 0 if there is no readable entry. */
export async function rangeOf(path: string): Promise<{ readonly first: number; readonly last: number }> {
  let first = 0
  let last = 0
  for await (const line of linesOf(path)) {
    const seq = parseEntry(line)?.seq
    if (seq === undefined) continue
    if (first === 0) first = seq
    last = Math.max(last, seq)
  }
  return { first, last }
}

/** Reads a checkpoint file. */
export async function readNote(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error)
  })
  if (text.length > MOST_IN_A_NOTE || parseCheckpoint(text) === undefined)
    throw new CountersignError(
      'CS_USAGE',
      `\`${safeText(path)}\` is not a checkpoint; pass a file written by \`countersign journal checkpoint\``,
    )
  return text
}

const FETCH_MS = 10_000

/** Fetches a checkpoint that another machine publishes. Redirects are refused. */
export async function fetchNote(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS) })
    const text = answer.ok ? await boundedText(answer) : ''
    if (parseCheckpoint(text) !== undefined) return text
  } catch (error) {
    throw new CountersignError('CS_USAGE', `\`${safeText(url)}\` can’t be fetched; check the address`, { cause: error })
  }
  throw new CountersignError(
    'CS_USAGE',
    `\`${safeText(url)}\` is not a checkpoint; publish a file written by \`countersign journal checkpoint\``,
  )
}

async function boundedText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > MOST_IN_A_NOTE) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function unreadable(path: string, error: unknown): CountersignError {
  const name = safeText(path)
  if (error instanceof TypeError)
    return new CountersignError('CS_JOURNAL_DAMAGED', `\`${name}\` is not UTF-8 text with JSON lines; get a fresh copy`)
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return new CountersignError('CS_USAGE', `\`${name}\` cannot be read (${code}); check the path`, { cause: error })
}

/** Writes a new file, readable by this user only and synced to disk. */
export async function writeNewFile(path: string, chunks: AsyncIterable<string> | Iterable<string>): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of chunks) await file.writeFile(chunk)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    const what = code === 'EEXIST' ? 'already exists; choose another name' : `cannot be written (${code}); name another`
    throw new CountersignError('CS_USAGE', `\`${safeText(path)}\` ${what}`, { cause: error })
  }
}
