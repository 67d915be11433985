import { describe, expect, it } from 'vitest'
import { decomposeCall } from '../../command/decompose-call.ts'
import { frozen, PLACES } from '../../risk/fixture.mts'
import { gatherCircumstances } from './gather-circumstances.ts'

/** Gathers circumstances for a command; returns the programs looked up and their locations. */
async function gather(args: { command: string | string[] }, find?: (name: string) => Promise<string | undefined>) {
  const call = frozen({ tool: 'exec', source: 'builtin', args })
  const asked: string[] = []
  const program = async (name: string, cwd: string) => {
    asked.push(`${name} in ${cwd}`)
    return find?.(name)
  }
  const { circumstances } = await gatherCircumstances(call, decomposeCall(call), {
    ports: {
      clock: { now: () => 0 },
      targets: { resolve: async (path) => path, ...(find === undefined ? {} : { program }) },
      store: { counted: async () => 0 },
    },
    places: PLACES,
    limits: [],
    grants: [],
  })
  return { asked, found: Object.fromEntries(circumstances.programs ?? []) }
}

const system = async (name: string) => `/usr/bin/${name}`

describe('the programs of a command', () => {
  it('are looked up once each, except shell builtins and programs named by path', async () => {
    const { asked, found } = await gather({ command: 'cd src; echo a; git log; ./x; git status | wc -l' }, system)
    expect(asked).toEqual([`git in ${PLACES.workspace}/src`, `wc in ${PLACES.workspace}/src`])
    expect(found).toEqual({ git: '/usr/bin/git', wc: '/usr/bin/wc' })
  })

  it('include builtins if no shell runs them', async () => {
    expect((await gather({ command: 'env echo a' }, system)).found).toHaveProperty('echo')
    expect((await gather({ command: ['echo', 'a'] }, system)).found).toHaveProperty('echo')
  })

  it('are left out if they are not found, if the lookup fails, or if there is no lookup', async () => {
    expect((await gather({ command: 'git log' }, async () => undefined)).found).toEqual({})
    expect((await gather({ command: 'git log' }, () => Promise.reject(new Error('gone')))).found).toEqual({})
    expect((await gather({ command: 'git log' })).found).toEqual({})
  })

  it('are looked up to a limit', async () => {
    const command = Array.from({ length: 50 }, (_, at) => `p${at}`).join('; ')
    expect((await gather({ command }, system)).asked).toHaveLength(32)
  })
})
