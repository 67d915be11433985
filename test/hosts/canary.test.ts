import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { agentStates, type Candidate, loadCanary, newHostToken, writeHostSetup } from '@countersign/hosts'
import { openHome } from '@countersign/node'
import { COMMAND } from '@countersign/testing/command/command'
import { spawnCli } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

const { fileMark, isProven, keepProof, tryAgent } = await loadCanary()

const PATIENCE = { timeout: 240_000 }
const STAND_IN = join(import.meta.dirname, '../support/hosts/claude-like.mjs')

/** Tries a program that behaves like Claude Code, or misbehaves in this way. */
function tried(way = 'as it should', probes?: Candidate['probes']) {
  const launcher = [process.execPath, ...COMMAND]
  const command = [process.execPath, STAND_IN, way] as const
  return tryAgent({
    host: 'claude-code',
    program: STAND_IN,
    command,
    version: '2.1.327',
    launcher,
    ...(probes === undefined ? {} : { probes }),
  })
}

const fatesOf = (results: Awaited<ReturnType<typeof tried>>) =>
  Object.fromEntries(results.map(({ probe, fate, runs }) => [probe, `${fate} ${runs}`]))

describe('the canary', () => {
  it('sees an agent that obeys its hook, and what it runs all the same', PATIENCE, async () => {
    const results = await tried()
    expect(fatesOf(results)).toEqual({
      rejected: 'did not run 0',
      approved: 'ran 1',
      'gate damaged': 'did not run 0',
      'hook missing': 'did not run 0',
      'hook slow': 'did not run 0',
      garbage: 'ran 1',
    })
    expect(isProven({ results })).toBe(true)
  })

  it('sees an agent that ignores its hook', PATIENCE, async () => {
    const results = await tried('ignores hooks', ['rejected', 'hook missing'])
    expect(fatesOf(results)).toEqual({ rejected: 'ran 1', 'hook missing': 'ran 1' })
    expect(isProven({ results })).toBe(false)
  })

  it('sees a call that runs twice', PATIENCE, async () => {
    const results = await tried('runs twice', ['approved'])
    expect(fatesOf(results)).toEqual({ approved: 'ran 2' })
    expect(isProven({ results })).toBe(false)
  })

  it('says that an agent did not get as far, and starts it no more', PATIENCE, async () => {
    expect(await tried('gives up')).toEqual([
      { probe: 'rejected', fate: 'unreached', runs: 0, detail: 'it ended with 3 before its first tool call' },
    ])
  })
})

describe('the proof of an agent', () => {
  it('counts until its program changes', () => {
    const root = temporaryFolder()
    const home = openHome(join(root, 'home'))
    const program = join(root, 'claude')
    writeFileSync(program, 'one')
    writeHostSetup(home, 'claude-code', { tokenHash: newHostToken().tokenHash, within: [], asking: 'desk' })
    const stateNow = () => agentStates(home).map(({ host, state, version }) => [host, state, version])
    expect(stateNow()).toEqual([['claude-code', 'never tried', null]])
    const results = (['rejected', 'approved', 'gate damaged', 'hook missing'] as const).map((probe) => ({
      probe,
      fate: probe === 'approved' ? ('ran' as const) : ('did not run' as const),
      runs: probe === 'approved' ? 1 : 0,
      detail: null,
    }))
    keepProof(home, 'claude-code', { version: '1.0.0', at: 1, program, fileMark: fileMark(program) ?? '', results })
    expect(stateNow()).toEqual([['claude-code', 'proven', '1.0.0']])
    writeFileSync(program, 'another')
    expect(stateNow()).toEqual([['claude-code', 'updated', '1.0.0']])
    keepProof(home, 'claude-code', {
      version: '1.0.1',
      at: 2,
      program,
      fileMark: fileMark(program) ?? '',
      results: results.slice(1),
    })
    expect(stateNow()).toEqual([['claude-code', 'failed', '1.0.1']])
    writeFileSync(join(home.dir, 'hosts/claude-code.proof.json'), '{')
    expect(stateNow()).toEqual([['claude-code', 'never tried', null]])
  })
})

/** An account with a program like Claude Code, which `init` has put behind the gate. */
async function account() {
  const root = temporaryFolder()
  const program = join(root, 'account/.local/bin/claude')
  for (const folder of [dirname(program), join(root, 'project')]) mkdirSync(folder, { recursive: true })
  copyFileSync(STAND_IN, program)
  chmodSync(program, 0o755)
  const settings = join(root, 'account/.claude/settings.json')
  mkdirSync(dirname(settings))
  writeFileSync(settings, '{}\n')
  const run = (...words: readonly string[]) =>
    spawnCli([...words, '--home', join(root, 'home'), '--account-home', join(root, 'account')], join(root, 'project'))
  const only = ['--only', 'claude-code']
  const init = await run('init', '--yes', '--allow-unstable-path', ...only)
  return { root, settings, init, doctor: () => run('doctor', '--hosts', ...only), run }
}

describe('countersign init and doctor --hosts', () => {
  it('prove an agent, keep that, and see when its settings change', PATIENCE, async () => {
    const { root, settings, init, doctor } = await account()
    expect(init.stdout).toContain('✓ rejected: did not run')
    expect(init.stdout).toContain('✓ approved: ran once')
    expect(init.stdout).toContain('✗ the hook prints invalid output: RAN ANYWAY')
    const proof = readFileSync(join(root, 'home/hosts/claude-code.proof.json'), 'utf8')
    expect(JSON.parse(proof)).toMatchObject([{ version: '2.1.327', results: { length: 6 } }])
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('"onFailure": "block"', '"onFailure": "allow"'))
    const changed = await doctor()
    expect(changed.stdout).toContain(`the hooks in \`${settings}\` are missing or were changed`)
    expect(changed.code).toBe(1)
  })
})
