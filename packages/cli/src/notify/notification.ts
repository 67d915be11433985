import type { OpenedView } from '@countersign/core'
import { type RiskLevel, safeText, toolLabel } from '@countersign/core'

/** Ways to call a person's attention. */
export const NOTIFY_WAYS = ['off', 'bell', 'terminal', 'desktop'] as const
export type NotifyWay = (typeof NOTIFY_WAYS)[number]

const TITLE = 'Countersign'
const MOST_TEXT = 64

/** What a notice says: risk and tool. SECURITY: A18 no argument, no path and no agent's words: it may show on a locked screen. */
export function noticeText(risk: RiskLevel, tool: { readonly server: string | null; readonly name: string }): string {
  // Signs that end or split the sequences a notice is wrapped in are left out, whatever a server calls its tool.
  const name = safeText(toolLabel(tool)).replace(/[^\w./ -]/gu, '?')
  return `${risk.toUpperCase()} ${name} waits for you`.slice(0, MOST_TEXT)
}

/** The notice of one held call. */
export function noticeOf({ view, body }: OpenedView): string {
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
