import { describe, expect, it } from 'vitest'
import type { ServiceGate } from '../gate/asking-gate.ts'
import { permitFor, scriptedGate } from '../gate/scripted-gate.fixture.ts'
import { copiedTool } from './copied-tool.ts'
import { openGatekeeper } from './gated-tool.ts'

const stay = new AbortController().signal

describe('a call for the gate', () => {
  it('has what the SDK and the author tell about it', async () => {
    const gate = scriptedGate(() => permitFor({}))
    const describe = ({ to }: { to?: unknown }) => ({ kind: 'send', url: `mailto:${to}` }) as const
    const keeper = openGatekeeper('test', gate, ['send'], {
      agent: { name: 'writer', parents: ['editor'] },
      tools: { send: { describe, requiresConfirmation: true, source: 'custom', volatile: ['note'] } },
      words: (id) => ({ reasoning: `why ${id}` }),
    })
    const tool = keeper.tool({ name: 'send', description: 'Sends mail', inputSchema: { type: 'object' } })
    await tool.obtain({ id: 'c7', args: { to: 'ana' }, words: { said: 'I write to Ana' } })(stay)
    expect(gate.asked).toEqual([
      {
        tool: {
          name: 'send',
          description: 'Sends mail',
          definition: { description: 'Sends mail', inputSchema: { type: 'object' } },
        },
        args: { to: 'ana' },
        agent: { name: 'writer', parents: ['editor'] },
        said: 'I write to Ana',
        reasoning: 'why c7',
        requiresConfirmation: true,
        source: 'custom',
        volatile: ['note'],
        describe: expect.any(Function),
      },
    ])
    expect(gate.asked[0]?.describe?.({ to: 'bea' })).toEqual({ kind: 'send', url: 'mailto:bea' })
  })

  it('has its description as data for a gate in a service', async () => {
    const { run: _, ...remote } = scriptedGate(() => permitFor({}))
    const describe = () => ({ kind: 'read' }) as const
    const keeper = openGatekeeper('test', remote as unknown as ServiceGate, ['look'], { tools: { look: { describe } } })
    await keeper.tool({ name: 'look' }).obtain({ id: 'c', args: {} })(stay)
    expect(remote.asked[0]).toMatchObject({ tool: { name: 'look' }, description: { kind: 'read' } })
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'of a tool named %s has no options of its own',
    async (name) => {
      const gate = scriptedGate(() => permitFor({}))
      const keeper = openGatekeeper('test', gate, [name], {})
      await keeper.tool({ name }).obtain({ id: 'c', args: {} })(stay)
      expect(gate.asked).toEqual([{ tool: { name, definition: { description: null, inputSchema: null } }, args: {} }])
      expect(keeper.isUngated(name)).toBe(false)
    },
  )

  it('has no options that its list only inherits', async () => {
    const gate = scriptedGate(() => permitFor({}))
    const tools: object = Object.create({ send: { source: 'builtin' } })
    await openGatekeeper('test', gate, ['send'], { tools }).tool({ name: 'send' }).obtain({ id: 'c', args: {} })(stay)
    expect(gate.asked[0]).not.toHaveProperty('source')
  })

  it('is not possible for misspelled options', () => {
    const gate = scriptedGate(() => permitFor({}))
    expect(() => openGatekeeper('test', gate, ['send'], { tools: { sned: {} } })).toThrow('there is no tool `sned`')
    expect(() => openGatekeeper('test', gate, ['send'], { ungated: ['look'] })).toThrow('there is no tool `look`')
  })
})

describe('the copy of a tool', () => {
  it('keeps hidden members, getters and the prototype', () => {
    class Tool {
      name = 'send'
      get title() {
        return `${this.name}!`
      }
    }
    const tool = Object.defineProperty(new Tool(), 'secret', { value: 1 })
    const copy = copiedTool(tool, { name: 'gated' })
    expect({ copy, title: copy.title, secret: Reflect.get(copy, 'secret') }).toMatchObject({
      title: 'gated!',
      secret: 1,
    })
    expect([copy instanceof Tool, tool.name]).toEqual([true, 'send'])
  })
})
