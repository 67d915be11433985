import { describe, expect, it } from 'vitest'
import type { TargetState } from '../../ports/targets.ts'
import { look, NOTHING_TOLD, type Project, projectPorts } from '../fixture.mts'

const PLAIN: Project = {
  '.git/config': '[core]\n\tbare = false\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/x': '',
  '.git/refs/x': '',
  'src/a.js': '',
}

/** What a command is proven to do where git lists these names, and which patterns git was asked about. */
async function listing(
  command: string,
  names: readonly string[] | undefined,
  project = PLAIN,
  content = 'a'.repeat(64),
) {
  const asked: (readonly string[])[] = []
  const ports = projectPorts(project)
  const state = async (given: string): Promise<TargetState> => ({ given, real: given, type: 'file', content })
  const repositories = {
    ...NOTHING_TOLD,
    tracked: async (_top: string, patterns: readonly string[]) => {
      asked.push(patterns)
      return names
    },
  }
  const { risk, seen } = await look(command, project, {
    ...ports,
    targets: { ...ports.targets, look: state },
    repositories,
  })
  const proofs = risk.parts.map(({ proven, provided }) => (provided === undefined ? (proven ?? 'unproven') : provided))
  return { proof: [...new Set(proofs)].join(), asked, bound: seen?.files.map(({ path }) => path) ?? [] }
}

describe('the files that git lists for another command', () => {
  it.each([
    "wc -l $(git ls-files '*.js') | tail -1",
    'cat $(git ls-files --cached -- src)',
    'grep -c add $(git ls-files)',
    'head -n 1 notes.txt $(git ls-files "src/*")',
  ])('are judged by their names: %s', async (command) => {
    expect((await listing(command, ['src/a.js'])).proof).toBe('reads')
    expect((await listing(command, [])).proof).toBe('reads')
    expect((await listing(command, ['src/a.js', '.env'])).proof).toMatch(/unproven/)
    expect((await listing(command, ['.ssh/id_ed25519'])).proof).toMatch(/unproven/)
    expect((await listing(command, undefined)).proof).toMatch(/unproven/)
  })

  it.each(['--files0-from=x', 'a b', 'a\nb', 'a*', 'näme', 'a\tb', "a'b", '~x', '$x', 'a\\b'])(
    'are not known with a name such as %j',
    async (name) => {
      expect((await listing('cat $(git ls-files)', ['src/a.js', name])).proof).toMatch(/unproven/)
    },
  )

  it.each([
    ['for a program that does more than read them', 'sh $(git ls-files)'],
    ['as the name of an output file', 'sort -o $(git ls-files)'],
    ['that are written', 'cat notes.txt > $(git ls-files src)'],
    ['with options of git', 'cat $(git ls-files -o)'],
    ['with a long pattern of git', "cat $(git ls-files ':(top)')"],
    ['of another repository', 'cat $(git -C src ls-files)'],
    ['with a variable', 'x=src; cat $(git ls-files "$x")'],
    ['through another program', 'cat $(git ls-files | head -1)'],
    ['in another folder', 'cd src; cat $(git ls-files)'],
    ['split in another way', 'IFS=,; cat $(git ls-files)'],
    ['as one word', 'cat "$(git ls-files)"'],
    ['as a part of a word', 'cat src/$(git ls-files)'],
    ['where the command adds others', 'git add src/b.js && cat $(git ls-files)'],
    ['where the command writes files', 'cat $(git ls-files) > notes.txt'],
  ])('are not proven %s', async (_, command) => {
    expect((await listing(command, ['src/a.js'])).proof).toMatch(/unproven/)
  })

  it('are asked for only if the settings are known, and the index is bound', async () => {
    const command = "cat $(git ls-files '*.js')"
    expect(await listing(command, ['src/a.js'])).toMatchObject({ asked: [['*.js']] })
    expect((await listing(command, ['src/a.js'])).bound).toContain('/home/you/app/.git/index')
    const monitored: Project = { ...PLAIN, '.git/config': '[core]\n\tfsmonitor = ./watch.sh\n' }
    expect(await listing(command, ['src/a.js'], monitored)).toMatchObject({ asked: [] })
    expect((await listing(command, ['src/a.js'], PLAIN, 'stat:1')).asked).toEqual([])
    expect((await listing("git ls-files '*.js'", ['src/a.js'])).bound).not.toContain('/home/you/app/.git/index')
  })

  it('are not followed out of the workspace', async () => {
    const project: Project = { ...PLAIN, 'k.js': { leads: '/home/you/.ssh/id_rsa' } }
    expect((await listing('cat $(git ls-files)', ['k.js'], project)).proof).toMatch(/unproven/)
  })
})
