import { safeText } from '@countersign/core'
import { controlService } from '@countersign/node'
import { type ChannelStatus, notifyStatus } from '@countersign/notify'
import { timeText } from '@countersign/terminal/card'
import { existingHome } from '../home/existing-home.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, hangText, layTable } from '../terminal/layout.ts'

/** Shows what was sent and what failed. Exits with 1 if something needs attention. */
export async function showStatus(io: Io): Promise<void> {
  const home = existingHome(io)
  const status = notifyStatus(home)
  const answer = await controlService(home, { do: 'status' }).catch(() => undefined)
  const service = answer !== undefined && 'status' in answer ? answer.status : null
  const { channels, dead, problems } = status
  if (problems.length > 0 || channels.some(({ state }) => state !== 'ready')) io.exit(EXIT.failed.code)
  if (io.json) return printJson(io, { ...status, service: service === null ? null : { publicUrl: service.publicUrl } })
  for (const problem of problems) say(io, safeText(problem))
  if (channels.length === 0)
    say(io, 'no channels; add one with `countersign notify add`, or turn on notifications in the inbox')
  for (const line of layTable(
    channels.map((one) => rowOf(one).map(safeText)),
    dataColumns(io),
  ))
    print(io, line)
  if (dead.length > 0) print(io, 'not delivered:')
  for (const { at, channel, title, why, attempts } of dead) {
    const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`
    const line = safeText(`${timeText(at)}  ${channel}  ${title}: ${why} (${tries})`)
    for (const row of hangText(line, dataColumns(io) - 2, 2)) print(io, `  ${row}`)
  }
  if (service === null) say(io, 'nothing is being sent: the service is not running; start it with `countersign serve`')
  else if (service.publicUrl === null && channels.some(({ kind }) => kind !== 'desktop'))
    say(io, 'links open on this machine only; phones need `countersign serve --public-url`')
}

function rowOf({ name, target, state, why, sentAt, sent, waiting, dead }: ChannelStatus): readonly string[] {
  const counts = [
    `${sent} sent`,
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(dead > 0 ? [`${dead} not delivered`] : []),
  ]
  const last = sentAt === null ? '' : `, last at ${timeText(sentAt)}`
  const condition = why === null ? state : `${state}: ${why}`
  return [name, target, condition, `${counts.join(', ')}${last}`]
}
