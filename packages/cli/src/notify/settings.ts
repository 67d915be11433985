import { CountersignError, safeText } from '@countersign/core'
import {
  changeSettings,
  QUIET_EXCEPTIONS,
  readSettings,
  readSubscriptions,
  setIn,
  unsubscribe,
} from '@countersign/notify'
import { existingHome } from '../home/existing-home.ts'
import { type Io, print, printJson } from '../terminal/io.ts'

/** The flags of `notify quiet`. */
export interface QuietFlags {
  readonly except?: string
  readonly zone?: string
}

const SETTINGS = ['from', 'reminder', 'merge', 'details'] as const

/** Removes a channel, a browser or a push service by its name in the list. */
export async function remove(name: string, io: Io): Promise<void> {
  const home = existingHome(io)
  const { channels, push } = readSettings(home)
  if (Object.hasOwn(channels, name)) {
    changeSettings(home, (document) => setIn(document, ['channels', name], undefined))
  } else if (push?.hosts.includes(name) === true) {
    const left = push.hosts.filter((host) => host !== name)
    changeSettings(home, (document) => setIn(document, ['push'], left.length === 0 ? undefined : { hosts: left }))
  } else {
    const found = readSubscriptions(home).find(({ id }) => `push:${id}` === name)
    if (found === undefined)
      throw new CountersignError(
        'CS_NOTIFY',
        `no channel \`${safeText(name)}\`; list them with \`countersign notify list\``,
      )
    await unsubscribe(home, found.id)
  }
  if (io.json) return printJson(io, { removed: name })
  print(io, `removed ${safeText(name)}`)
}

/** Sets or ends quiet hours. */
export function setQuiet(hours: string, { except, zone }: QuietFlags, io: Io): void {
  const quiet =
    hours === 'off'
      ? undefined
      : {
          hours,
          ...(zone === undefined ? {} : { zone }),
          ...(except === undefined ? {} : { except: exceptions(except) }),
        }
  const settings = changeSettings(existingHome(io), (document) => setIn(document, ['quiet'], quiet))
  if (io.json) {
    printJson(io, { quiet: settings.quiet ?? null })
    return
  }
  print(io, settings.quiet === undefined ? 'no quiet hours' : `quiet hours: ${quietWords(settings.quiet)}`)
}

/** Changes one setting of all channels. */
export function set(name: string, value: string, io: Io): void {
  const known = SETTINGS.find((one) => one === name)
  if (known === undefined)
    throw new CountersignError('CS_USAGE', `no setting \`${safeText(name)}\`; choose ${SETTINGS.join(', ')}`)
  const settings = changeSettings(existingHome(io), (document) => setIn(document, [known], value))
  if (io.json) {
    printJson(io, { [known]: settings[known] })
    return
  }
  print(io, `${known}: ${settings[known]}`)
}

/** Quiet hours in words. */
export function quietWords(quiet: {
  readonly hours: string
  readonly zone?: string
  readonly except: readonly string[]
}): string {
  const zone = quiet.zone === undefined ? '' : ` (${quiet.zone})`
  const except =
    quiet.except.length === 0 ? 'nothing is sent' : `only ${quiet.except.map((one) => WORDS[one]).join(' and ')}`
  return `${quiet.hours}${zone}, ${except}`
}

const WORDS: Readonly<Record<string, string>> = { critical: 'critical calls', reminder: 'last reminders' }

function exceptions(text: string): readonly string[] {
  if (text === 'none') return []
  const words = text.split(',')
  if (words.every((word) => QUIET_EXCEPTIONS.some((one) => one === word))) return [...new Set(words)]
  throw new CountersignError('CS_USAGE', '`--except` must be critical, reminder, critical,reminder or none')
}
