import { decodeKeys, endsOpen, type Key, PASTE, PASTED } from './key.ts'

/** How long half an escape sequence is waited for. */
const SEQUENCE_MS = 40
/** How long the rest of a paste's opening bracket is waited for: no finger makes half of one. */
const BRACKET_MS = 1_000
/** A paste that was silent for so long has lost its end. */
const LOST_MS = 30_000
/** INVARIANT: L10, what is longer is dropped at its end. */
const LONGEST_PASTE = 1 << 20

/** The one reader of a terminal: it knows of what is not finished, whoever listens. */
export interface KeyReader {
  hear(chunk: string): void
  /** Forgets what is not finished. */
  reset(): void
}

/**
 * Gives the keys of each chunk of raw input. SECURITY: A5 from the opening bracket of a paste to its closing one nothing is
 * a key but Ctrl-C; each chunk on the way is told at once as an empty paste, so that whatever would arm does not.
 */
export function createKeyReader(
  after: (ms: number, wake: () => void) => () => void,
  onKeys: (keys: readonly Key[]) => void,
): KeyReader {
  let typed = ''
  let paste: { text: string; tail: string } | null = null
  let cancel = (): void => {}

  /** What of a paste is there, up to its end if that has come; gives what follows it. */
  function readPaste(into: { text: string; tail: string }, chunk: string, keys: Key[]): string {
    const seen = into.tail + chunk
    const end = seen.indexOf(PASTED)
    // Without an end: what could be the beginning of one is kept apart.
    const until = end >= 0 ? end : Math.max(0, seen.length - (PASTED.length - 1))
    if (into.text.length < LONGEST_PASTE) into.text = into.text + seen.slice(0, until)
    into.tail = end >= 0 ? '' : seen.slice(until)
    keys.push({ kind: 'paste', text: end >= 0 ? into.text.slice(0, LONGEST_PASTE) : '' })
    if (end < 0) return ''
    paste = null
    return seen.slice(end + PASTED.length)
  }

  /** What was typed, up to the beginning of a paste; gives what follows that. */
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
