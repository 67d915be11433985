import { answerHookLine, readHookLine } from './hook-client.ts'

/** `countersign hook` without the command line's own code; anything but a hook's words goes to the whole command. */
export async function main(words: readonly string[] = process.argv.slice(3)): Promise<void> {
  const line = readHookLine(words)
  if (line !== undefined && !process.stdin.isTTY) return answerHookLine(line)
  const whole = await import('../main.ts')
  return whole.main()
}
