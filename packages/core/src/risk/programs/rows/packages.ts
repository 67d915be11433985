import {
  assessCargo,
  assessDevTool,
  assessGo,
  assessMake,
  assessNodePackages,
  assessPythonPackages,
  assessRunner,
  assessSystemPackages,
} from '../packages.ts'
import { fixed, type ProgramRow } from './row.ts'

/** Programs for packages, builds and project tools. */
export const PACKAGES: readonly ProgramRow[] = [
  ['npm pnpm yarn bun', assessNodePackages],
  ['pip pip2 pip3 uv poetry pipenv pdm rye hatch conda mamba pipx', assessPythonPackages],
  ['cargo rustup', assessCargo],
  ['go', assessGo],
  ['apt apt-get aptitude dnf yum brew apk pacman zypper snap flatpak port dpkg rpm', assessSystemPackages],
  ['gem bundle composer nuget', fixed('medium', 'packages.install', 'installs or runs packages')],
  ['twine', fixed('high', 'packages.publish', 'publishes a package')],
  ['npx bunx uvx', assessRunner],
  [
    'make gmake just task ninja cmake meson bazel mvn mvnw gradle gradlew ant sbt rake invoke nox tox scons',
    assessMake,
  ],
  [
    'tsc eslint prettier biome vitest jest mocha ava tap c8 nyc vite next nuxt astro webpack rollup esbuild ' +
      'swc turbo nx lerna tsup ts-jest playwright cypress storybook svelte-check vue-tsc stylelint ' +
      'markdownlint knip oxlint dprint commitlint lint-staged husky changeset size-limit pytest mypy pyright ' +
      'ruff black isort flake8 pylint bandit coverage rubocop rspec phpunit phpstan pest golangci-lint gofmt ' +
      'goimports staticcheck rustfmt clippy-driver clang-format clang-tidy gcc g++ cc c++ clang clang++ ld as ' +
      'javac javadoc kotlinc scalac swift swiftc rustc dotnet msbuild ghc stack cabal mix elixir iex rebar3 ' +
      'ctest protoc buf sqlfluff alembic-check pre-commit tsdx nodemon concurrently wait-on serve http-server ' +
      'tailwindcss postcss sass',
    assessDevTool,
  ],
  ['nvm pyenv rbenv asdf fnm volta sdk corepack', fixed('medium', 'packages.toolchain', 'changes the tool chain')],
]
