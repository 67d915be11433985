import { describe, expect, it } from 'vitest'
import { rateShell } from '../fixture.mts'

const rules = (command: string) => rateShell(command).reasons.map(({ rule }) => rule)

describe('a command that reads everything below a folder', () => {
  it.each([
    'grep -rn key ..',
    'grep -R key ~',
    'grep -rh "" /home',
    'grep --recursive --regexp=key ..',
    'grep -d recurse key /',
    'cd .. && grep -r -A 3 key',
    'cd ~ && rg --hidden seed',
    'rg seed ..',
    'ag key /home/you',
    'grep -r key ~/.*',
    'grep -r key ~/*',
    'tar czf /tmp/a.tgz ~',
    'tar cf - -C ~ .',
    'zip -r a.zip ..',
    'cp -r ~ /tmp/x',
    'cp -a ../. ./x',
    'rsync -a ~/ ./x',
    'find ~ -type f -exec cat {} +',
    'find .. -exec sh -c "cat {}" ";"',
    'cd ~ && find -type f -exec cat {} +',
  ])('`%s` is high if there are keys below it', (command) => {
    expect(rules(command)).toContain('path.read-all')
  })

  it.each([
    'grep -rn key .',
    'grep -rn / src',
    'grep -r key src ../other',
    'grep key ../file.txt',
    'grep -r key ~/proj-*',
    'rg seed',
    'rg --files ..',
    'tar czf a.tgz src',
    'tar xzf a.tgz -C ..',
    'cp -r src out',
    'cp ../a.txt .',
    'find .. -name "*.md"',
    'find ~ -name "*.md" -exec ls -l {} +',
  ])('`%s` is not high', (command) => {
    expect(rules(command)).not.toContain('path.read-all')
  })
})

describe('tree', () => {
  it('writes to the file in `-o`, and otherwise reads', () => {
    for (const command of ['tree -o out.txt', 'tree -ao src/index.ts .', 'tree --output=x.txt'])
      expect(
        rateShell(command).paths.filter(({ use }) => use === 'write'),
        command,
      ).toHaveLength(1)
    expect(rateShell('tree -L 2 src')).toMatchObject({ level: 'none', paths: [{ given: 'src', use: 'read' }] })
  })
})
