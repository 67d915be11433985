import { answerHookLine, readHookLine } from './hook-client.ts'

/**
 * `countersign hook` without the command line's own code; anything but a hook's words goes to the whole command. `prepare` runs
 * before more code is loaded.
 */
export async function main(prepare: () => void): Promise<void> {
  const line = readHookLine(process.argv.slice(3))
  if (line !== undefined && !process.stdin.isTTY) return answerHookLine(line, prepare)
  prepare()
  const whole = await import('../main.ts')
  return whole.main()
}
