import { wordSet } from '../../arguments/word-set.ts'

/** Compilers, linters, test runners, bundlers and servers that projects bring along. */
export const DEV_TOOLS =
  'tsc tsgo eslint eslint_d prettier prettierd biome vitest jest mocha ava tap tape c8 nyc vite next nuxt nuxi astro ' +
  'webpack webpack-cli rollup esbuild parcel swc babel turbo nx lerna tsup tsdown unbuild ncc ts-jest playwright cypress ' +
  'storybook start-storybook build-storybook svelte-check svelte-kit vue-tsc vue-cli-service ng react-scripts remix gatsby ' +
  'stylelint markdownlint markdownlint-cli2 knip depcheck madge oxlint oxfmt dprint commitlint lint-staged husky lefthook ' +
  'size-limit bundlesize pytest py.test mypy pyright basedpyright pytype pyre pyflakes pycodestyle pydocstyle ruff flake8 ' +
  'pylint bandit vulture radon coverage rubocop standardrb brakeman reek rspec minitest phpunit phpstan psalm pest phpcs ' +
  'golangci-lint staticcheck revive gosec govulncheck goimports gofumpt gotestsum ginkgo mockgen wire clippy-driver clang-tidy ' +
  'cppcheck cpplint include-what-you-use gcc g++ cc c++ clang clang++ ld as nasm gfortran nvcc javac javadoc kotlinc kotlin ' +
  'scalac swiftc rustc rustdoc msbuild ghc ghci runghc hlint elixirc erlc erl ctest protoc buf flatc thrift ' +
  'sqlfluff pre-commit tsdx nodemon concurrently wait-on npm-run-all run-s run-p tailwindcss postcss sass sassc lessc ' +
  'graphql-codegen openapi-generator openapi-generator-cli swagger-cli spectral redocly typedoc jsdoc api-extractor esdoc ' +
  'zig odin nim crystal elm elm-test purs spago ocaml ocamlopt ocamlfind dune wasm-pack emcc emcmake cython cargo-nextest ' +
  'trunk wasm-bindgen xcodebuild xcrun swiftlint ktlint detekt checkstyle spotbugs pmd jmeter gatling uvicorn gunicorn ' +
  'hypercorn streamlit gradio celery jupyter jupyter-lab jupyter-notebook mkdocs sphinx sphinx-build sphinx-quickstart ' +
  'hugo jekyll eleventy docusaurus vitepress vuepress mdbook doxygen puma unicorn webrick rackup guard yard ' +
  'appium detox karma testcafe nightwatch wdio artillery locust lighthouse lhci pa11y axe stryker ' +
  'mutmut hypothesis nose2 behave robot tsc-watch tsc-alias rescript svgo imagemin terser uglifyjs html-minifier htmlhint ' +
  'csslint jshint standard xo tslint prisma-lint cspell alex write-good vale proselint codespell typos cz commitizen ' +
  'autoconf automake autoreconf libtoolize bison flex m4 ccache sccache distcc pkg-config rustfmt-check d2 mmdc plantuml ' +
  'solc forge hardhat truffle anvil slither anchor expo metro react-native ionic cap cordova tauri electron ' +
  'electron-builder electron-forge nest nestjs adonis sls-offline fastlane-test license-checker npm-check attw publint ' +
  'update-browserslist-db caniuse tsd dtslint type-coverage ttsc esno vite-node jiti zx ladle histoire chromatic msw'

/** Formatters that rewrite files unless told to check only. */
export const FORMATTERS =
  'black isort rustfmt swiftformat swift-format stylua pint scalafmt nixfmt alejandra djhtml docformatter pyupgrade autoflake ' +
  'autopep8 yapf gofmt shfmt clang-format google-java-format buildifier taplo ormolu fourmolu cljfmt php-cs-fixer rector ' +
  'djlint doctoc jscodeshift ng-update sort-package-json syncpack npm-check-updates ncu standard-version ' +
  'changelogithub conventional-changelog git-cliff bump2version bumpversion tbump bump-my-version mdformat xmlformat dartfmt'

/** Tools that make a new project from what they fetch. */
export const SCAFFOLDS =
  'create-react-app create-next-app create-vite create-vue create-svelte create-remix create-astro create-expo-app ' +
  'create-turbo create-nx-workspace create-t3-app create-hono create-solid create-qwik create-nuxt create-electron-app ' +
  'degit tiged giget yo cookiecutter copier plop hygen @angular/cli @nestjs/cli @vue/cli sv shadcn shadcn-ui storybook@latest ' +
  'express-generator cargo-generate firebase-tools @modelcontextprotocol/inspector npkill openapi-typescript quicktype ' +
  'json-schema-to-typescript json2ts source-map-explorer webpack-bundle-analyzer @svgr/cli pwa-asset-generator envinfo ' +
  'kill-port taze ts-prune unimported jscpd lockfile-lint retire secretlint dotenv-cli gitignore npm-check ' +
  'react-native-cli @react-native-community/cli @capacitor/cli @ionic/cli expo-doctor swagger-typescript-api orval ' +
  'graphql-inspector npm-merge-driver cost-of-modules bundle-phobia-cli is-ci tsconfig-paths ts-node-dev zod-to-json-schema'

/** Tools with a row of their own: what they do is rated there. */
const RATED =
  'pip-audit twine build rimraf changeset tsx ts-node prisma drizzle-kit knex typeorm sequelize sequelize-cli serve http-server ' +
  'live-server json-server wrangler vercel netlify supabase serverless sls cdk cdktf sst pulumi firebase npm-run-all ' +
  'npm-check-updates sort-package-json cloc shellcheck hadolint ansible-lint httpie alembic django-admin black poetry pdm ' +
  'countersign pre-commit license-checker semgrep checkov yamllint cfn-lint tldr'

const NPM_NAMES: ReadonlyMap<string, string> = new Map([
  ['@biomejs/biome', 'biome'],
  ['@playwright/test', 'playwright'],
  ['@commitlint/cli', 'commitlint'],
  ['@graphql-codegen/cli', 'graphql-codegen'],
  ['@tailwindcss/cli', 'tailwindcss'],
  ['@redocly/cli', 'redocly'],
  ['@stoplight/spectral-cli', 'spectral'],
  ['@openapitools/openapi-generator-cli', 'openapi-generator-cli'],
  ['typescript', 'tsc'],
  ['@arethetypeswrong/cli', 'attw'],
])

/** Tools for databases and services that projects bring along; what they are told to do is rated apart. */
const SERVICE_TOOLS =
  'prisma drizzle-kit knex sequelize sequelize-cli typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm mikro-orm wrangler ' +
  'vercel netlify netlify-cli firebase firebase-tools supabase serverless sls sst cdk aws-cdk cdktf pm2 eas eas-cli'

const KNOWN = new Set([DEV_TOOLS, FORMATTERS, RATED, SERVICE_TOOLS].flatMap((names) => [...wordSet(names)]))
const SCAFFOLD_NAMES = wordSet(SCAFFOLDS)

/**
 * Whether a package that a runner is told to run is one people know: `tool`, a `scaffold`, a `creator` by its name
 * alone, or `unknown`.
 */
export function packageSort(name: string): 'tool' | 'scaffold' | 'creator' | 'unknown' {
  const version = name.lastIndexOf('@')
  const bare = version > 0 ? name.slice(0, version) : name
  if (KNOWN.has(NPM_NAMES.get(bare) ?? bare)) return 'tool'
  if (SCAFFOLD_NAMES.has(bare) || SCAFFOLD_NAMES.has(name)) return 'scaffold'
  return /^(?:@[\w.-]+\/)?create(?:-[\w.-]+)?$/.test(bare) ? 'creator' : 'unknown'
}
