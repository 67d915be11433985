import { describe, expect, it } from 'vitest'
import { decompose } from '../decompose.ts'
import { findVerb } from '../programs/subcommand.ts'

const OURS = [
  'countersign approve 1',
  'countersign --home /tmp/x approve 1',
  'countersign --json --no-color -q --home=/tmp/x approve 1',
  'node packages/cli/bin/countersign.js approve 1',
  'node --import ./x.js -r y /opt/x/bin/countersign.mjs --home x approve 1',
  'npx countersign approve 1',
  'npx -y countersign@0.1.0 approve 1',
  'npx evil countersign approve 1',
  'npm exec -- countersign approve 1',
  'pnpm countersign approve 1',
  'yarn run countersign approve 1',
  'bun x countersign approve 1',
  'deno run -A npm:countersign approve 1',
  './node_modules/.bin/countersign approve 1',
]

describe('a call to the countersign CLI', () => {
  it.each(OURS)('is found in %s', (command) => {
    const { parts } = decompose(command)
    const own = parts.filter(({ program }) => program === 'countersign').map((part) => findVerb(part))
    expect(own).toEqual([expect.objectContaining({ kind: 'verb', verb: 'approve' })])
  })

  it('does not hide other programs that a runner would start', () => {
    expect(decompose('npx evil countersign approve').parts.map(({ program }) => program)).toEqual([
      'npx',
      'evil',
      'countersign',
    ])
  })

  it.each(['node countersign-notes.js approve', 'echo countersign approve', 'node x.js'])(
    'is not found in %s',
    (command) => {
      expect(decompose(command).parts.some(({ program }) => program === 'countersign')).toBe(false)
    },
  )
})
