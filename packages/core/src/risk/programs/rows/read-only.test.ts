import { describe, expect, it } from 'vitest'
import { eachIsRated } from '../level-rows.mts'
import { CLOUD } from './cloud.ts'
import { CONTAINERS } from './containers.ts'
import { DATABASES } from './databases.ts'
import { FILES } from './files.ts'
import { GIT } from './git.ts'
import { INTERPRETERS } from './interpreters.ts'
import { KUBERNETES } from './kubernetes.ts'
import { NETWORK } from './network.ts'
import { PACKAGES } from './packages.ts'
import { PLAIN } from './read-only.ts'
import { SYSTEM } from './system.ts'

const NAMES = [
  CLOUD,
  CONTAINERS,
  DATABASES,
  FILES,
  GIT,
  INTERPRETERS,
  KUBERNETES,
  NETWORK,
  PACKAGES,
  PLAIN,
  SYSTEM,
].flatMap((rows) => rows.flatMap(([names]) => names.split(' ')))

describe('the list of programs', () => {
  it('names each program once', () => {
    expect(NAMES.filter((name, at) => name === '' || NAMES.indexOf(name) !== at)).toEqual([])
  })
})

describe('small programs', () => {
  eachIsRated(
    'none',
    `shasum -a 256 a.tgz
    iconv -f latin1 -t utf8 a.txt
    xxd image.png
    exiftool img.jpg
    otool -L app
    htop
    set -euo pipefail
    man git-push
    less +/error app.log`,
  )
  eachIsRated('low', 'mktemp -d\nctags -R src\nfzf\ngcc-12 -c a.c')
  eachIsRated('medium', 'ffmpeg -i a.mp4 b.webm\npandoc a.md -o a.pdf\nunknowntool --flag')
  eachIsRated('high', "unset HISTFILE\nless '+!id' a\nman -P ./x ls\nctags --options=./x -R")
})
