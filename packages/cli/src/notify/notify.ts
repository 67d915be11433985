import { spawn } from 'node:child_process'
import type { OpenedView } from '@countersign/core'
import type { DeskSource } from '@countersign/terminal'
import type { Io } from '../terminal/io.ts'
import { desktopNotice, type NotifyWay, noticeOf, terminalNotice } from './notification.ts'

/** However many calls come at once, a person is called no oftener than this. */
const PAUSE_MS = 3_000

/** Calls the person at this terminal. It never fails: a notice is a courtesy. */
export interface Notifier {
  /** A call is held: the person hears of it now, or after the pause if it is held then. */
  held(opened: OpenedView): void
  /** It is held no longer; an id that was never told of is fine. */
  gone(callId: string): void
  /** Whoever waited for the pause is not called any more. */
  stop(): void
}

/** Makes one. */
export function createNotifier(way: NotifyWay, io: Pick<Io, 'stdout' | 'env'>): Notifier {
  const waiting = new Map<string, OpenedView>()
  let pause: NodeJS.Timeout | null = null

  function call(opened: OpenedView): void {
    pause = setTimeout(() => {
      pause = null
      const [next] = waiting.values()
      waiting.clear()
      if (next !== undefined) call(next)
    }, PAUSE_MS)
    pause.unref()
    tell(opened, way, io)
  }

  return {
    held(opened) {
      if (way === 'off') return
      if (pause === null) call(opened)
      else waiting.set(opened.view.id, opened)
    },
    gone: (callId) => void waiting.delete(callId),
    stop() {
      if (pause !== null) clearTimeout(pause)
      pause = null
      waiting.clear()
    },
  }
}

function tell(opened: OpenedView, way: NotifyWay, io: Pick<Io, 'stdout' | 'env'>): void {
  const text = noticeOf(opened)
  // None of it moves the cursor, so that it may go between two frames.
  io.stdout.write(terminalNotice(text, way, io.env))
  const program = way === 'desktop' ? desktopNotice(text, process.platform, io.env) : null
  if (program === null) return
  const [file, ...args] = program
  const child = spawn(file, args, { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}

/** A queue that calls the person for each call it has not told of before. */
export function notifying(source: DeskSource, notifier: Notifier): DeskSource {
  let known: ReadonlySet<string> = new Set()
  return {
    ...source,
    subscribe(listen) {
      const stop = source.subscribe((event) => {
        if (event.kind === 'held') {
          const now = new Set(event.calls.map(({ view }) => view.id))
          for (const id of known) if (!now.has(id)) notifier.gone(id)
          const fresh = event.calls.find(({ view }) => !known.has(view.id))
          known = now
          if (fresh !== undefined) notifier.held(fresh)
        }
        listen(event)
      })
      return () => {
        stop()
        notifier.stop()
      }
    },
  }
}
