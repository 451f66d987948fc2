package dev.rowan.checks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The house rules that a compiler does not know. An exception to one is a named line here. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.rowan");

  /**
   * A module's packages and what they may know besides themselves, the JDK and JSpecify.
   *
   * @param root the module's root package
   * @param known further packages
   */
  record Module(String root, List<String> known) {}

  static List<Module> modules() {
    return List.of(
        new Module("dev.rowan.core", List.of("jdk.incubator.vector..")),
        new Module("dev.rowan.layer", List.of("dev.rowan.core..")),
        new Module("dev.rowan.formats", List.of("dev.rowan.core..", "io.jhdf..")),
        new Module(
            "dev.rowan.text", List.of("dev.rowan.core..", "dev.rowan.formats..", "ai.djl..")),
        new Module(
            "dev.rowan.hub",
            List.of(
                "dev.rowan.core..",
                "dev.rowan.formats..",
                "javax.net.ssl..", // the JDK's own, to tell a bad certificate from a bad connection
                "tools.jackson.core..")),
        new Module(
            "dev.rowan.analysis",
            List.of(
                "dev.rowan.core..",
                "dev.rowan.formats..",
                "javax.imageio..")), // the JDK's own, to write pictures as PNG
        new Module(
            "dev.rowan.train",
            List.of(
                "dev.rowan.core..",
                "dev.rowan.layer..",
                "dev.rowan.formats..",
                "dev.rowan.text..",
                "io.airlift.compress.v3.zstd..",
                "jdk.incubator.vector..")),
        new Module(
            "dev.rowan.app",
            List.of(
                "dev.rowan.core..",
                "dev.rowan.layer..",
                "dev.rowan.analysis..",
                "dev.rowan.train..",
                "dev.rowan.formats..",
                "dev.rowan.text..",
                "dev.rowan.hub..",
                "org.eclipse.jetty..",
                "picocli..",
                "tools.jackson.core..")));
  }

  @Test
  void scanSeesTheWholeProject() {
    assertThat(CLASSES.size()).isGreaterThan(150);
    for (Module module : modules()) {
      assertThat(CLASSES.stream().filter(c -> c.getPackageName().startsWith(module.root())))
          .as(module.root())
          .isNotEmpty();
    }
  }

  @Test
  void everyClassBelongsToAModuleOfTheList() {
    Set<String> roots = modules().stream().map(Module::root).collect(Collectors.toSet());
    assertThat(CLASSES)
        .allSatisfy(c -> assertThat(roots).anyMatch(root -> c.getPackageName().startsWith(root)));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void modulesDependAlongTheArrowsOnly(Module module) {
    List<String> allowed = new java.util.ArrayList<>(module.known());
    allowed.addAll(List.of(module.root() + "..", "java..", "org.jspecify.annotations.."));
    classes()
        .that()
        .resideInAPackage(module.root() + "..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed.toArray(String[]::new))
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.rowan.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void onlyKernelPackagesKnowTheVectorApi() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.rowan.core.kernel", "dev.rowan.train.kernel")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.incubator.vector..")
        .check(CLASSES);
  }

  @Test
  void onlyTheHubKnowsTheNetwork() {
    noClasses()
        .that()
        // app.web listens, on this machine unless told otherwise; the next rule keeps it at that
        .resideOutsideOfPackages("dev.rowan.hub..", "dev.rowan.app.web")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.net..")
        .check(CLASSES);
  }

  @Test
  void theExplorerConnectsToNobody() {
    noClasses()
        .that()
        .resideInAPackage("dev.rowan.app.web")
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "open connections",
                c ->
                    c.getPackageName().startsWith("java.net")
                        && !Set.of("InetAddress", "UnknownHostException")
                            .contains(c.getSimpleName())))
        .check(CLASSES);
  }

  @Test
  void onlyTheExplorerKnowsTheServer() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.rowan.app.web")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.eclipse.jetty..")
        .check(CLASSES);
  }

  @Test
  void onlyTheCommandLinePrints() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.rowan.app.cli")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(Throwable.class, "printStackTrace")
        .check(CLASSES);
  }

  @Test
  void nobodyThrowsABareException() {
    classes()
        .should(
            notConstructAny(RuntimeException.class, Exception.class, Error.class, Throwable.class))
        .check(CLASSES);
  }

  private static ArchCondition<JavaClass> notConstructAny(Class<?>... bare) {
    return new ArchCondition<>("not construct a bare exception") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        for (JavaConstructorCall call : item.getConstructorCallsFromSelf()) {
          // a subclass calls its parent's constructor, which is no throw
          boolean parents =
              call.getOrigin().isConstructor() && item.isAssignableTo(Throwable.class);
          if (!parents && List.of(bare).stream().anyMatch(call.getTargetOwner()::isEquivalentTo)) {
            events.add(SimpleConditionEvent.violated(item, call.getDescription()));
          }
        }
      }
    };
  }

  @Test
  void everyPackageIsNullMarked() {
    Set<String> unmarked = new TreeSet<>();
    for (JavaClass c : CLASSES) {
      JavaPackage owner = c.getPackage();
      boolean marked =
          owner
              .tryGetPackageInfo()
              .map(info -> info.isAnnotatedWith(NullMarked.class))
              .orElse(false);
      if (!marked && !c.getSimpleName().equals("module-info")) {
        unmarked.add(owner.getName());
      }
    }
    assertThat(unmarked).isEmpty();
  }
}
