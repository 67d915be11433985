import { spawn } from 'node:child_process'
import { type OpenedView, type RiskLevel, safeText, toolLabel } from '@countersign/core'
import { type DesktopCommand, desktopCommand } from '@countersign/notify'
import type { DeskSource } from '@countersign/terminal'
import type { Io } from '../terminal/io.ts'

/** Minimum time between two notifications. */
const PAUSE_MS = 3_000

/** Notifies the person at this terminal. Never throws. */
export interface Notifier {
  /** Notifies of a held call now, or after the pause if it is still held then. */
  held(opened: OpenedView): void
  /** The call is no longer held. Unknown ids are ignored. */
  gone(callId: string): void
  /** Drops pending notifications. */
  stop(): void
}

/** Creates a notifier. */
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
  // Does not move the cursor, so it can be written between two frames.
  io.stdout.write(terminalNotice(text, way, io.env))
  const program = way === 'desktop' ? desktopNotice(text, process.platform, io.env) : null
  if (program === null) return
  const [file, ...args] = program
  const child = spawn(file, args, { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}

/** Wraps a queue source to notify of each new held call. */
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

/** Notification methods. */
export const NOTIFY_WAYS = ['off', 'bell', 'terminal', 'desktop'] as const
export type NotifyWay = (typeof NOTIFY_WAYS)[number]

const TITLE = 'Countersign'
const MOST_TEXT = 64

/** The text of a notification: risk and tool. SECURITY: A18 no arguments, paths or agent text: it may appear on a locked screen. */
export function noticeText(risk: RiskLevel, tool: { readonly server: string | null; readonly name: string }): string {
  // Replaces characters that could end or split the escape sequence; a server chooses its tool names.
  const name = safeText(toolLabel(tool)).replace(/[^\w./ -]/gu, '?')
  return `${risk.toUpperCase()} ${name} needs your decision`.slice(0, MOST_TEXT)
}

/** The notification text of a held call. */
function noticeOf({ view, body }: OpenedView): string {
  return noticeText(view.risk.level, body.call.tool)
}

/** The terminal output for a notification: a bell, and optionally OSC 9 and OSC 777. */
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

/** Wraps a sequence for tmux, which needs `allow-passthrough on`. */
function throughTmux(sequence: string): string {
  return `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\`
}

/** The command for a desktop notification; null without a desktop. */
export function desktopNotice(
  text: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): DesktopCommand | null {
  const hasDesktop = platform === 'darwin' || Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])
  return hasDesktop ? desktopCommand(text, 'normal', platform) : null
}
