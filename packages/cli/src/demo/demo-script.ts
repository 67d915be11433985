import { readFileSync } from 'node:fs'
import { readScript, type Script } from '@countersign/agent'

/** What the person asks for. The script answers whatever it is. */
export const OPENING = 'Tidy up this project, please.'

/** The script that ships with the command: beside this file in the sources, beside the bundle when built. */
export function demoScript(): Script {
  return readScript(readFileSync(new URL('./demo.yaml', import.meta.url), 'utf8'), 'demo')
}
