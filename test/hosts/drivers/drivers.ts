import type { HostName } from '../rig/programs.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { geminiCli } from './gemini-cli.ts'
import type { HostDriver } from './host-driver.ts'
import { opencode } from './opencode.ts'

export const DRIVERS: Readonly<Record<HostName, HostDriver>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  opencode,
  copilot,
}
