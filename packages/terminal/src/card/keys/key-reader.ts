import { decodeKeys, endsOpen, type Key, PASTE, PASTED } from './key.ts'

/** Timeout for an incomplete escape sequence. */
const SEQUENCE_MS = 40
/** Timeout for the rest of a paste's opening sequence. */
const BRACKET_MS = 1_000
/** Timeout for the end of a paste. */
const LOST_MS = 30_000
/** INVARIANT: L10 a longer paste is cut. */
const LONGEST_PASTE = 1 << 20

/** The key reader of a terminal. It keeps incomplete sequences. */
export interface KeyReader {
  hear(chunk: string): void
  /** Drops incomplete input. */
  reset(): void
}

/**
 * Decodes the keys of each chunk of raw input. SECURITY: A5 inside a paste nothing but Ctrl-C is a key; each chunk of it
 * is reported at once as an empty paste, to prevent arming.
 */
export function createKeyReader(
  after: (ms: number, wake: () => void) => () => void,
  onKeys: (keys: readonly Key[]) => void,
): KeyReader {
  let typed = ''
  let paste: { text: string; tail: string } | null = null
  let cancel = (): void => {}

  /** Reads a paste up to its end marker; returns the rest. */
  function readPaste(into: { text: string; tail: string }, chunk: string, keys: Key[]): string {
    const seen = into.tail + chunk
    const end = seen.indexOf(PASTED)
    // No end marker yet: keep a possible start of one.
    const until = end >= 0 ? end : Math.max(0, seen.length - (PASTED.length - 1))
    if (into.text.length < LONGEST_PASTE) into.text = into.text + seen.slice(0, until)
    into.tail = end >= 0 ? '' : seen.slice(until)
    keys.push({ kind: 'paste', text: end >= 0 ? into.text.slice(0, LONGEST_PASTE) : '' })
    if (end < 0) return ''
    paste = null
    return seen.slice(end + PASTED.length)
  }

  /** Reads typed keys up to the start of a paste; returns the rest. */
  function readTyped(text: string, keys: Key[]): string {
    const start = text.indexOf(PASTE)
    if (start >= 0) paste = { text: '', tail: '' }
    else if (endsOpen(text)) {
      typed = text
      return ''
    }
    for (const key of decodeKeys(start < 0 ? text : text.slice(0, start))) keys.push(key)
    return start < 0 ? '' : text.slice(start + PASTE.length)
  }

  function read(chunk: string): readonly Key[] {
    const keys: Key[] = []
    let rest = typed + chunk
    typed = ''
    do rest = paste === null ? readTyped(rest, keys) : readPaste(paste, rest, keys)
    while (rest !== '')
    if (paste !== null && keys.at(-1)?.kind !== 'paste') keys.push({ kind: 'paste', text: '' })
    return keys
  }

  function flush(): void {
    const keys = paste === null ? decodeKeys(typed) : [{ kind: 'paste', text: paste.text + paste.tail } as const]
    typed = ''
    paste = null
    if (keys.length > 0) onKeys(keys)
  }

  return {
    hear(chunk) {
      cancel()
      const keys = paste !== null && /^\x03+$/.test(chunk) ? ([{ kind: 'interrupt' }] as const) : read(chunk)
      if (paste !== null) cancel = after(LOST_MS, flush)
      else if (typed !== '') cancel = after(/\x1b\[20{0,2}$/.test(typed) ? BRACKET_MS : SEQUENCE_MS, flush)
      if (keys.length > 0) onKeys(keys)
    },
    reset() {
      cancel()
      typed = ''
      paste = null
    },
  }
}
