import { describe, expect, it } from 'vitest'
import { rateShell } from '../../fixture.mts'
import { eachIsRated } from '../level-rows.mts'
import { rateScriptName } from './script-names.ts'

describe('packages and builds', () => {
  eachIsRated(
    'none',
    `npm publish --dry-run
    npm run
    gem list
    composer show
    apt-cache policy nginx
    pacman -Q
    apt-get -s install x
    cargo publish --dry-run
    mvn dependency:tree
    make -n deploy
    pyenv versions
    just --list`,
  )
  eachIsRated(
    'low',
    `yarn workspace web build
    pnpm --filter web test
    npx tsx script.ts
    black --check src
    gofmt -l .
    gradle publishToMavenLocal
    uv run pytest
    python -m pytest
    cargo clean`,
  )
  eachIsRated(
    'medium',
    `yarn
    npm i -D vitest@latest
    npm run db:migrate
    npx create-next-app@latest app
    npx -y prettier --check .
    uvx ruff check .
    python -m pip install numpy
    dotnet add package Serilog
    sudo pacman -S jq
    black src
    jest -u
    make install
    poetry version patch
    changeset version`,
  )
  eachIsRated(
    'high',
    `npm run deploy
    yarn deploy:prod
    npm run db:reset
    npx -y unknown-package
    pnpm dlx unknown-package
    uvx unknown-tool
    npm config set registry http://x.example
    pip install --extra-index-url https://x.example y
    python -m twine upload dist/*
    cargo yank --version 1.0 crate
    gem push x.gem
    dotnet nuget push x.nupkg
    ./gradlew publish
    sudo make install
    make -f- <<< 'x:'
    go run x.example/y@latest
    lerna publish
    mix ecto.drop
    sudo pacman -Rns linux
    brew tap x/y https://x.example/y`,
  )
  eachIsRated('critical', 'npm unpublish pkg')

  it('are distinguished by script names', () => {
    for (const name of ['build', 'build:prod', 'test:e2e', 'start:production', 'deploy:dry-run', 'clean'])
      expect(rateScriptName(name), name).toBe('low')
    for (const name of ['deploy', 'release', 'db:drop', 'prod', 'publishToMavenCentral', 'infra-destroy'])
      expect(rateScriptName(name), name).toBe('high')
  })

  it('name the package that is fetched and run', () => {
    expect(rateShell('npx unknown-package').target).toBe('unknown-package')
    expect(rateShell('npm install').reversible).toBe('yes')
    expect(rateShell('npm publish').reversible).toBe('no')
  })
})
