import { assertNever } from '@countersign/core'
import type { HostContract } from '../contract/host-contract.ts'
import type { HostName } from '../contract/host-name.ts'
import { claudeCode } from './claude-code.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { cursor } from './cursor.ts'
import { geminiCli } from './gemini-cli.ts'
import { goose } from './goose.ts'
import { opencode } from './opencode.ts'
import { vscode } from './vscode.ts'

/** The hook contract of a coding agent. */
export function contractOf(name: HostName): HostContract {
  switch (name) {
    case 'claude-code':
      return claudeCode
    case 'codex':
      return codex
    case 'gemini-cli':
      return geminiCli
    case 'copilot':
      return copilot
    case 'vscode':
      return vscode
    case 'cursor':
      return cursor
    case 'opencode':
      return opencode
    case 'cline':
      return cline
    case 'goose':
      return goose
    default:
      return assertNever(name)
  }
}
