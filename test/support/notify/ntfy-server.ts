import { openReceiver, type Received, type Receiver } from './receiver.ts'

/** A message as a subscriber of the topic sees it. */
export interface NtfyMessage {
  readonly title: string
  readonly message: string
  readonly priority: number
  readonly click: string | null
}

/** A server that takes messages as ntfy's documentation has it, and refuses what it would refuse. */
export interface NtfyServer extends Receiver {
  /** What a phone shows: a message with a known sequence id replaced the earlier one. */
  messages(): readonly NtfyMessage[]
}

const FIELDS = new Set(['topic', 'title', 'message', 'priority', 'click', 'sequence_id'])
const ID = /^[-_A-Za-z0-9]{1,64}$/

/** Opens a server with one topic, which needs this token. */
export async function openNtfyServer(topic: string, token: string): Promise<NtfyServer> {
  const receiver = await openReceiver()
  const shown = new Map<string, NtfyMessage>()

  function take({ path, headers, body }: Received): number {
    if (path !== '/') return 404
    if (headers.authorization !== `Bearer ${token}`) return 403
    const given = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>
    if (Object.keys(given).some((key) => !FIELDS.has(key)) || given['topic'] !== topic) return 400
    const { title, message, priority, click = null, sequence_id: sequence } = given
    if (typeof title !== 'string' || Buffer.byteLength(title) > 1_024) return 400
    if (typeof message !== 'string' || Buffer.byteLength(message) > 4_096) return 400
    if (typeof priority !== 'number' || !Number.isInteger(priority) || priority < 1 || priority > 5) return 400
    if (click !== null && (typeof click !== 'string' || !URL.canParse(click))) return 400
    if (typeof sequence !== 'string' || !ID.test(sequence) || headers['x-sequence-id'] !== sequence) return 400
    shown.set(sequence, { title, message, priority, click })
    return 200
  }

  receiver.answer((request) => ({ status: take(request), body: '{}' }))
  return { ...receiver, messages: () => [...shown.values()] }
}
