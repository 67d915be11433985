import { spawn } from 'node:child_process'
import { type OpenedView, type RiskLevel, safeText, toolLabel } from '@countersign/core'
import type { DeskSource } from '@countersign/terminal'
import type { Io } from '../terminal/io.ts'

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

/** Ways to call a person's attention. */
export const NOTIFY_WAYS = ['off', 'bell', 'terminal', 'desktop'] as const
export type NotifyWay = (typeof NOTIFY_WAYS)[number]

const TITLE = 'Countersign'
const MOST_TEXT = 64

/** What a notice says: risk and tool. SECURITY: A18 no argument, no path and no agent's words: it may show on a locked screen. */
export function noticeText(risk: RiskLevel, tool: { readonly server: string | null; readonly name: string }): string {
  // Signs that end or split the sequences a notice is wrapped in are left out, whatever a server calls its tool.
  const name = safeText(toolLabel(tool)).replace(/[^\w./ -]/gu, '?')
  return `${risk.toUpperCase()} ${name} needs your decision`.slice(0, MOST_TEXT)
}

/** The notice of one held call. */
function noticeOf({ view, body }: OpenedView): string {
  return noticeText(view.risk.level, body.call.tool)
}

/** What is written to the terminal: a bell, and for terminals that know them the two notification sequences. */
export function terminalNotice(
  text: string,
  way: NotifyWay,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (way === 'off') return ''
  if (way === 'bell') return '\x07'
  const sequences = [`\x1b]9;${TITLE}: ${text}\x07`, `\x1b]777;notify;${TITLE};${text}\x07`]
  const inTmux = (env['TMUX'] ?? '') !== ''
  return `\x07${sequences.map((one) => (inTmux ? throughTmux(one) : one)).join('')}`
}

/** tmux passes on what is wrapped for it, every Esc doubled; it needs `allow-passthrough on`. */
function throughTmux(sequence: string): string {
  return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`
}

/** The desktop's own program for a notice, without a shell; null where there is none. */
export function desktopNotice(
  text: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): readonly [program: string, ...args: string[]] | null {
  if (platform === 'darwin') return ['osascript', '-e', `display notification "${text}" with title "${TITLE}"`]
  const hasDesktop = Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])
  return hasDesktop ? ['notify-send', '--app-name', TITLE, '--', TITLE, text] : null
}
