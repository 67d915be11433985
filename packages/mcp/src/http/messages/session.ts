import type { Message, RawId } from '../../wire/message.ts'
import { idKey } from '../../wire/message.ts'

/** Whether a message answers this request. */
export function isAnswer(message: Message, id: RawId): boolean {
  return message.kind === 'response' && idKey(message.id) === idKey(id)
}

/** The protocol version that an answer to `initialize` settles on. */
export function versionIn(message: Message): string | null {
  const bytes = message.kind === 'response' ? message.member('protocolVersion') : null
  const text = bytes === null || bytes.length > 64 ? '' : bytes.toString('latin1')
  return /^"[\w.-]{1,32}"$/.test(text) ? text.slice(1, -1) : null
}

/** A session's id, as a header may hold it. */
export function sessionIn(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^[\x21-\x7e]{1,1024}$/.test(header) ? header : null
}

/** Waits before coming back, or until it need not; keeps no process alive. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, Math.min(ms, 60_000)).unref()
    signal.addEventListener('abort', go, { once: true })
    if (signal.aborted) go()
  })
}

/** Goes on once: when the work is done, or after a while. */
export function onceDone(work: Promise<unknown>, mostMs: number | null, resumeRound: () => void): void {
  let isDone = false
  const go = (): void => {
    clearTimeout(timer)
    if (!isDone) resumeRound()
    isDone = true
  }
  const timer = mostMs === null ? undefined : setTimeout(go, mostMs)
  void work.then(go, go)
}
