import { assertNever, CountersignError, safeText } from '@countersign/core'
import { controlService, type Home, systemClock } from '@countersign/node'
import { type Channel, type Delivery, openChannels, sendTest } from '@countersign/notify'
import { existingHome } from '../home/existing-home.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'

/** Sends a test message through one channel or all. Exits with 1 if one fails. */
export async function test(name: string | undefined, io: Io): Promise<void> {
  const home = existingHome(io)
  const { channels, problems } = openChannels(home)
  for (const problem of problems) say(io, safeText(problem))
  const chosen = name === undefined ? channels : channels.filter((one) => one.name === name)
  if (chosen.length === 0)
    throw new CountersignError(
      'CS_NOTIFY',
      name === undefined
        ? 'no channels; add one with `countersign notify add`'
        : `no channel \`${safeText(name)}\`; list them with \`countersign notify list\``,
    )
  const inbox = await inboxOf(home)
  const results = await Promise.all(
    chosen.map(async (channel) => ({ channel, delivery: await tried(home, channel, inbox) })),
  )
  if (results.some(({ delivery }) => delivery.kind !== 'sent')) io.exit(EXIT.failed.code)
  if (io.json)
    return printJson(
      io,
      results.map(({ channel, delivery }) => ({ channel: channel.name, ...delivery })),
    )
  for (const { channel, delivery } of results) print(io, safeText(`${channel.name}: ${wordsOf(delivery)}`))
}

function tried(home: Home, channel: Channel, inbox: string): Promise<Delivery> {
  return sendTest(home, channel, inbox, systemClock.now())
}

/** The inbox of the running service; a local URL where none runs. */
async function inboxOf(home: Home): Promise<string> {
  const answer = await controlService(home, { do: 'status' }).catch(() => undefined)
  if (answer === undefined || !('status' in answer)) return 'http://localhost:4180'
  return answer.status.publicUrl ?? answer.status.url
}

function wordsOf(delivery: Delivery): string {
  switch (delivery.kind) {
    case 'sent':
      return 'sent'
    case 'again':
    case 'failed':
      return `failed: ${delivery.why}`
    case 'gone':
      return `stopped by the receiver: ${delivery.why}`
    default:
      return assertNever(delivery)
  }
}
