import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Gate } from '@countersign/core'
import { openGate } from '@countersign/node'
import { moments } from './dying-gate.ts'

/** A durable agent of one SDK: the state it saves is a text. */
export interface DurableAgent {
  begin(): Promise<string>
  resume(saved: string): Promise<string>
}

/**
 * One process of a durable agent: `<root> <nth moment to die at>`. It begins, unless an earlier one saved its state in `saved`, and
 * resumes. What its tools did is in the file `effects`.
 */
export async function runChild(open: (gate: Gate, effect: (what: string) => unknown) => DurableAgent): Promise<void> {
  const [root = '', nth = '0'] = process.argv.slice(2)
  const { gate } = await openGate({ home: join(root, 'home'), workspace: join(root, 'project'), session: 'none' })
  const life = moments(Number(nth))
  const agent = open(life.gate(gate), (what) => life.during(() => appendFileSync(join(root, 'effects'), `${what}\n`)))
  const file = join(root, 'saved')
  if (!existsSync(file)) {
    const saved = await agent.begin()
    await life.during(() => writeFileSync(file, saved))
  }
  process.stdout.write(await agent.resume(readFileSync(file, 'utf8')))
  await gate.close()
  process.exit(0)
}
