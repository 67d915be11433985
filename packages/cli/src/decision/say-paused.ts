import { type Desk, safeText } from '@countersign/core'
import { type Io, say } from '../terminal/io.ts'

/** Tells on stderr that everything is paused, above what a list shows. */
export async function sayPaused(desk: Pick<Desk, 'rules'>, io: Io): Promise<void> {
  const paused = await desk.rules().paused()
  if (paused === null) return
  say(io, safeText(`${paused}; every call is held and grants are suspended until \`countersign resume\``))
}
