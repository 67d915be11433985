import { spawn } from 'node:child_process'
import type { RiskLevel } from '@countersign/core'
import type { Delivery } from '../http/verdict.ts'
import { notificationWords, worstRisk } from '../notification/notification-words.ts'
import type { Attempt, Channel } from './channel.ts'

/** How a desktop notification is shown: a program and its arguments. */
export type DesktopCommand = readonly [program: string, ...args: string[]]

const TITLE = 'Countersign'

const URGENCY: Readonly<Record<RiskLevel, string>> = {
  none: 'low',
  low: 'low',
  medium: 'normal',
  high: 'critical',
  critical: 'critical',
}

/** Notifications on the desktop of the account that runs the service. */
export function desktopChannel(
  name: string,
  platform: NodeJS.Platform = process.platform,
): Omit<Channel, 'config' | 'from'> {
  return {
    name,
    kind: 'desktop',
    target: 'this desktop',
    takesBack: false,
    async deliver(attempt) {
      const { title, body } = notificationWords(attempt.notification, attempt.now)
      const text = `${title}\n${body}`
      return show(desktopCommand(text, URGENCY[worstRisk(attempt.notification.calls)], platform), attempt)
    },
  }
}

/**
 * The command for a notification. SECURITY: A12 the text is an argument, never part of a script; notification servers read
 * markup, so its characters are escaped.
 */
export function desktopCommand(text: string, urgency: string, platform: NodeJS.Platform): DesktopCommand {
  if (platform === 'darwin') {
    const script = ['on run argv', 'display notification (item 1 of argv) with title (item 2 of argv)', 'end run']
    return ['osascript', ...script.flatMap((line) => ['-e', line]), text, TITLE]
  }
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return ['notify-send', '--app-name', TITLE, '--urgency', urgency, '--', TITLE, plain]
}

function show([file, ...args]: DesktopCommand, { signal }: Attempt): Promise<Delivery> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'ignore', signal })
    child.on('error', (error) => {
      const isMissing = 'code' in error && error.code === 'ENOENT'
      if (isMissing) resolve({ kind: 'failed', why: `\`${file}\` was not found; install it (Debian: libnotify-bin)` })
      else resolve({ kind: 'again', why: `\`${file}\` did not answer in time`, afterMs: null })
    })
    child.on('exit', (code) => {
      if (code === 0) resolve({ kind: 'sent' })
      else resolve({ kind: 'again', why: `\`${file}\` failed; is a desktop running for this account?`, afterMs: null })
    })
  })
}
