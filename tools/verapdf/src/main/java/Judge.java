import java.io.File;
import java.io.FileInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/** Judges each PDF against each flavour and prints one line for each pair. */
public final class Judge {
  public static void main(String[] args) throws Exception {
    if (args.length < 2) {
      System.err.println("usage: Judge flavour[,flavour...] file|folder...");
      System.exit(2);
    }
    VeraGreenfieldFoundryProvider.initialise();
    int failed = 0;
    for (File file : files(args)) {
      for (String id : args[0].split(",")) {
        failed += judge(file, id) ? 0 : 1;
      }
    }
    System.exit(failed == 0 ? 0 : 1);
  }

  private static List<File> files(String[] args) {
    List<File> all = new ArrayList<>();
    for (int i = 1; i < args.length; i++) {
      File f = new File(args[i]);
      if (!f.isDirectory()) {
        all.add(f);
        continue;
      }
      File[] inside = f.listFiles((dir, name) -> name.endsWith(".pdf"));
      java.util.Arrays.sort(inside);
      all.addAll(List.of(inside));
    }
    return all;
  }

  private static boolean judge(File file, String id) {
    PDFAFlavour flavour = PDFAFlavour.fromString(id);
    try (FileInputStream in = new FileInputStream(file);
        PDFAParser parser = Foundries.defaultInstance().createParser(in, flavour);
        PDFAValidator validator = Foundries.defaultInstance().createValidator(flavour, false)) {
      ValidationResult result = validator.validate(parser);
      Map<String, Integer> faults = new TreeMap<>();
      for (TestAssertion a : result.getTestAssertions()) {
        if (a.getStatus() == TestAssertion.Status.FAILED) {
          faults.merge(a.getRuleId().getClause() + "-" + a.getRuleId().getTestNumber() + " " + a.getMessage()
              + " @ " + a.getLocation().getContext(), 1, Integer::sum);
        }
      }
      System.out.println((result.isCompliant() ? "pass" : "FAIL") + " " + id + " " + file.getName()
          + " checks=" + result.getTotalAssertions() + " failed=" + faults.size());
      faults.keySet().stream().limit(8).forEach(f -> System.out.println("    " + f));
      return result.isCompliant() && faults.isEmpty();
    } catch (Exception e) {
      System.out.println("FAIL " + id + " " + file.getName() + " " + e);
      return false;
    }
  }
}
