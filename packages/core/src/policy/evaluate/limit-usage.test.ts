import { expect, it } from 'vitest'
import { someCall, someRisk } from '../../../../../test/model/case.ts'
import { measureCall } from './limit-usage.ts'

it.each([
  [{ content: 'a\nb\n' }, 2],
  [{ content: 'a\nb' }, 2],
  [{ content: '' }, 0],
  [{ edits: [{ new_string: 'a\nb' }, { new_string: 'c' }] }, 3],
  [{ patch: '--- a\n+++ b\n@@\n-x\n+y\n+z\n' }, 2],
  [{ path: 'a\nb' }, 0],
])('counts the lines that %j writes: %i', (args, lines) => {
  expect(measureCall(someCall({ args }), someRisk())).toEqual({ calls: 1, files: 0, lines })
})

it('counts each file once, by its real path, and no lines of a read', () => {
  const paths = [
    { given: 'a', real: '/srv/app/a', use: 'write' },
    { given: './a', real: '/srv/app/a', use: 'delete' },
    { given: '$X', real: null, use: 'write' },
    { given: 'b', real: '/srv/app/b', use: 'read' },
  ] as const
  expect(measureCall(someCall(), someRisk({ paths }))).toMatchObject({ files: 2 })
  const read = someCall({ args: { content: 'a' }, descriptor: { kind: 'read', source: 'known' } })
  expect(measureCall(read, someRisk())).toEqual({ calls: 1, files: 0, lines: 0 })
})

it('counts nested calls and the lines they write', () => {
  const write = { tool: 'write_file', args: { path: 'a', content: 'a\nb\n' } }
  const read = { tool: 'read_file', args: { path: 'a', text: 'x' } }
  const batch = someCall({
    tool: { server: null, name: 'batch', definition: 'def' },
    args: { calls: [write, { ...write, args: JSON.stringify(write.args) }, read] },
    descriptor: { kind: 'other', source: 'nobody' },
  })
  expect(measureCall(batch, someRisk())).toEqual({ calls: 3, files: 0, lines: 4 })
})

it('counts the lines of more calls than are analysed', () => {
  const calls = [...Array(70)].map(() => ({ tool: 'write_file', args: { edits: [{ new_string: 'a\nb' }] } }))
  const tool = { server: null, name: 'batch', definition: 'def' }
  const batch = someCall({ tool, args: { calls }, descriptor: { kind: 'other', source: 'nobody' } })
  expect(measureCall(batch, someRisk())).toMatchObject({ lines: 140 })
})
