import { safeText } from '@countersign/core'
import { copyStore } from '@countersign/node'
import { accountName } from '../home/approver-key.ts'
import { existingHome } from '../home/existing-home.ts'
import { createProgress } from '../journal/progress.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { addressOf, placeOf } from './store-address.ts'
import { refuseService } from './use-store.ts'

/** `countersign store copy`: copies the store of the home, and verifies the copy. */
export async function copyTo(typed: string, io: Io): Promise<void> {
  const home = existingHome(io)
  const to = placeOf(await addressOf(typed, io))
  await refuseService(home)
  const progress = createProgress(io, 'copied')
  const done = await copyStore(home, to, {
    by: accountName(),
    onRows: (table, rows, total) => {
      if (table === 'entry') progress.show(rows, total)
    },
  }).finally(progress.clear)
  if (io.json) return printJson(io, { ...done })
  if (done.kind === 'again') print(io, `${safeText(done.to)} has this journal already, with ${done.size} entries`)
  else print(io, `copied ${done.size} journal entries and ${done.rows['call'] ?? 0} calls to ${safeText(done.to)}`)
  print(io, `root: ${done.root}, the same in both`)
  say(io, `${safeText(done.from)} is not used any more; now run \`countersign store use\` with the new address`)
}
