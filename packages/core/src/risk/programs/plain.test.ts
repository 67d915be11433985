import { describe, expect, it } from 'vitest'
import { eachIsRated } from './level-rows.mts'
import { CLOUD } from './rows/cloud.ts'
import { CONTAINERS } from './rows/containers.ts'
import { DATABASES } from './rows/databases.ts'
import { FILES } from './rows/files.ts'
import { GIT } from './rows/git.ts'
import { INTERPRETERS } from './rows/interpreters.ts'
import { KUBERNETES } from './rows/kubernetes.ts'
import { NETWORK } from './rows/network.ts'
import { PACKAGES } from './rows/packages.ts'
import { PLAIN } from './rows/plain.ts'
import { SYSTEM } from './rows/system.ts'

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
