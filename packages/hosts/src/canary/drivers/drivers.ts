import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { geminiCli } from './gemini-cli.ts'
import type { DrivenHost, HostDriver } from './host-driver.ts'
import { opencode } from './opencode.ts'

/** How to start each agent. */
export const DRIVERS: Readonly<Record<DrivenHost, HostDriver>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  opencode,
  copilot,
}
