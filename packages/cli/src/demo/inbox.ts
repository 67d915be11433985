import { type SafeText, safeText } from '@countersign/core'
import { makeEnrolmentCode, systemClock } from '@countersign/node'
import type { ChatCommand } from '@countersign/terminal/chat'
import type { Conversation } from '../chat/conversation.ts'
import { inboxFolder } from '../inbox-assets.ts'
import { version } from '../version.ts'

/** The web inbox of the demo. */
export interface BesideInbox {
  /** Lines to show once it runs, or failed to start. */
  readonly said: Promise<readonly SafeText[]>
  /** `/inbox`: prints a link, and a code to enroll the browser. */
  readonly command: ChatCommand
  stop(): Promise<void>
}

/** Starts the inbox on a free port, in the background. */
export function openInbox({ opened }: Conversation): BesideInbox {
  const { home } = opened
  const starting = start()

  async function start() {
    // Loaded lazily, so that it does not delay the first frame.
    const { startService } = await import('@countersign/server')
    const inbox = inboxFolder()
    return startService({ home, version: version(), port: 0, ...(inbox === undefined ? {} : { inbox }) })
  }

  return {
    said: starting.then(
      (service) => [
        safeText(`Web inbox (link works once, within 30 s): ${service.link().link}`),
        safeText('Type /inbox for a new link and a code that lets that browser approve calls.'),
      ],
      (error: unknown) => [safeText(`could not start the inbox: ${messageOf(error)}`)],
    ),
    command: {
      name: 'inbox',
      does: 'get a link to the web inbox, and a code to approve there',
      async run() {
        const service = await starting
        return [
          safeText(`open within 30 s (works once): ${service.link().link}`),
          safeText(`enrollment code (works once, for 10 minutes): ${makeEnrolmentCode(home, systemClock.now())}`),
        ]
      },
    },
    stop: () => starting.then((service) => service.stop()).catch(() => {}),
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
