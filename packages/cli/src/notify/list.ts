import { safeText } from '@countersign/core'
import { type NotifyStatus, notifyStatus } from '@countersign/notify'
import { existingHome } from '../home/existing-home.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, layTable } from '../terminal/layout.ts'
import { quietWords } from './settings.ts'

/** Lists channels and settings, without secrets. */
export function list(io: Io): void {
  const { settings, channels, problems } = notifyStatus(existingHome(io))
  if (io.json) {
    printJson(io, {
      settings,
      channels: channels.map(({ name, kind, target, from }) => ({ name, kind, target, from })),
      problems,
    })
    return
  }
  for (const problem of problems) say(io, safeText(problem))
  if (channels.length === 0)
    say(io, 'no channels; add one with `countersign notify add`, or turn on notifications in the inbox')
  const rows = channels.map(({ name, target, from }) => [name, target, from === 'none' ? 'every call' : `from ${from}`])
  for (const line of layTable(
    rows.map((row) => row.map(safeText)),
    dataColumns(io),
  ))
    print(io, line)
  for (const line of settingLines(settings)) print(io, line)
}

function settingLines({ merge, reminder, details, quiet, push }: NotifyStatus['settings']): readonly string[] {
  return [
    `messages: calls held within ${merge} share one message, ${reminder === 'off' ? 'no reminder' : `reminder ${reminder} before the deadline`}`,
    `content: ${details === 'none' ? 'risk, tool and agent' : 'risk, tool, agent and a redacted line'}`,
    ...(quiet === undefined ? [] : [safeText(`quiet hours: ${quietWords(quiet)}`)]),
    ...(push === undefined ? [] : [safeText(`push services: ${push.hosts.join(', ')}, and the known ones`)]),
  ]
}
