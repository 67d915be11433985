import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { contractOf } from '../../hosts/contracts.ts'
import { type HookWords, hookLine } from './hook-line.ts'
import { offSwitches } from './off-switches.ts'

const WORDS: HookWords = {
  host: 'gemini-cli',
  launcher: ['/opt/node', '/opt/countersign.js'],
  token: '0123456789abcdef'.repeat(2),
  home: null,
}
const [BEFORE] = contractOf('gemini-cli').events
const OURS = BEFORE === undefined ? '' : hookLine(WORDS, BEFORE)

/** The sentences about one settings file in an otherwise empty place. */
function told(host: Parameters<typeof offSwitches>[0], path: string, text: string, variable?: string) {
  const root = temporaryFolder()
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  const env = variable === undefined ? {} : { [variable]: join(root, 'elsewhere') }
  const sentences = offSwitches(host, { accountHome: join(root, 'home'), project: join(root, 'project'), env, root })
  return sentences.map((sentence) => sentence.replaceAll(root, ''))
}

describe('a setting that turns hooks off', () => {
  it.each<[Parameters<typeof offSwitches>[0], string, string, string?]>([
    ['claude-code', 'home/.claude/settings.json', '{"disableAllHooks":true}'],
    ['claude-code', 'project/.claude/settings.local.json', '{"disableAllHooks":true}'],
    ['claude-code', 'elsewhere/settings.json', '{"disableAllHooks":true}', 'CLAUDE_CONFIG_DIR'],
    ['claude-code', 'etc/claude-code/managed-settings.json', '{"disableAllHooks":true}'],
    ['claude-code', 'etc/claude-code/managed-settings.json', '{"allowManagedHooksOnly":true}'],
    ['claude-code', 'etc/claude-code/managed-settings.d/20-hooks.json', '{"allowManagedHooksOnly":true}'],
    ['codex', 'home/.codex/config.toml', '[features]\nhooks = false\n'],
    ['codex', 'project/.codex/config.toml', '[features]\nhooks = false\n'],
    ['codex', 'elsewhere/config.toml', 'features.hooks = false\n', 'CODEX_HOME'],
    ['gemini-cli', 'project/.gemini/settings.json', '{"hooksConfig":{"enabled":false}}'],
    ['gemini-cli', 'home/.gemini/settings.json', JSON.stringify({ hooksConfig: { disabled: ['other', OURS] } })],
    ['gemini-cli', 'project/.gemini/settings.json', JSON.stringify({ hooks: { disabled: [OURS] } })],
    ['gemini-cli', 'etc/gemini-cli/settings.json', '{"hooksConfig":{"enabled":false}}'],
    ['copilot', 'elsewhere/settings.json', '{"disableAllHooks":true}', 'COPILOT_HOME'],
    ['copilot', 'home/.claude/settings.json', '{"disableAllHooks":true}'],
    ['copilot', 'project/.github/copilot/settings.local.json', '{"disableAllHooks":true}'],
  ])('of %s is found in %s: %s', (host, path, text, variable) => {
    expect(told(host, path, text, variable)).toEqual([expect.stringContaining(`turned off in \`/${path}\``)])
  })

  it.each<[Parameters<typeof offSwitches>[0], string, string]>([
    ['claude-code', 'home/.claude/settings.json', '{"disableAllHooks":false}'],
    ['claude-code', 'home/.claude/settings.json', '{"allowManagedHooksOnly":true}'],
    ['gemini-cli', 'home/.gemini/settings.json', '{"hooksConfig":{"disabled":["lint"]}}'],
    ['gemini-cli', 'home/.gemini/settings.json', '{"hooksConfig":{"disabled":"all"}}'],
    ['cursor', 'home/.cursor/settings.json', '{"disableAllHooks":true}'],
  ])('is not taken for one where %s ignores it: %s %s', (host, path, text) => {
    expect(told(host, path, text)).toEqual([])
  })

  it('never shows the token of the hook', () => {
    const text = JSON.stringify({ hooksConfig: { disabled: [OURS] } })
    expect(told('gemini-cli', 'home/.gemini/settings.json', text).join()).not.toContain(WORDS.token)
  })
})
